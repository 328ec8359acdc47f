import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { create, ScalarType } from "@bufbuild/protobuf";

/** An answer that stands for every answer of its type: what the build writes a template with. */

const NUMBERS: ReadonlySet<ScalarType> = new Set([ScalarType.INT32, ScalarType.DOUBLE]);

/** The name that Go's generated code gives a field: "opening_html" is OpeningHtml. */
export const goName = (field: string): string =>
  field.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The path of a list's element: ".Groups[]" of ".Groups". */
export const elementOf = (list: string): string => `${list}[]`;
/** The path of the list that has this element. */
export const listOf = (element: string): string => element.slice(0, -elementOf("").length);

/** What fields are that are no texts. A template is the same whatever they are: what hangs on them is said to it. */
export interface Values {
  flag: boolean;
  number: number;
}

/** Where a message stands in the answer, ".Groups[].Pages[]", and what it is. */
export interface Spot {
  path: string;
  schema: DescMessage;
}

interface Stand {
  values: Values;
  /** What stands for the text at a path, which content has cleaned where it is HTML. */
  text: (path: string, html: boolean) => string;
  /** Takes note of each message. */
  note: (message: object, spot: Spot) => void;
}

/** A message whose texts stand for themselves. A list has one element, which stands for each. */
export function standIn<Desc extends DescMessage>(schema: Desc, stand: Stand, path = ""): MessageShape<Desc> {
  const message = create(schema);
  stand.note(message, { path, schema });
  const fields: Record<string, unknown> = message;
  for (const field of schema.fields) {
    const at = `${path}.${goName(field.name)}`;
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING)
      fields[field.localName] = stand.text(at, field.name.endsWith("html"));
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.BOOL)
      fields[field.localName] = stand.values.flag;
    if (field.fieldKind === "scalar" && NUMBERS.has(field.scalar))
      fields[field.localName] = stand.values.number;
    if (field.fieldKind === "message" && field.message.typeName.startsWith("serein."))
      fields[field.localName] = standIn(field.message, stand, at);
    if (field.fieldKind === "list" && field.listKind === "scalar" && field.scalar === ScalarType.STRING)
      fields[field.localName] = [stand.text(elementOf(at), false)];
    if (field.fieldKind === "list" && field.listKind === "message")
      fields[field.localName] = [standIn(field.message, stand, elementOf(at))];
  }
  return message;
}
