import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { create, ScalarType } from "@bufbuild/protobuf";
import { actionToken } from "@/lib/template";

/** Answers that stand for themselves: what the build writes templates with. */

const NUMBERS: ReadonlySet<ScalarType> = new Set([ScalarType.INT32, ScalarType.DOUBLE]);

/** The name that Go's generated code gives a field: "opening_html" is OpeningHtml. */
const goName = (field: string): string =>
  field.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** What fields are that are no texts. A template is the same whatever they are: what hangs on them is said to it. */
export interface Plain {
  flag: boolean;
  number: number;
}

/**
 * A message each of whose texts is the action that prints it. HTML is printed as it is, since content has cleaned it;
 * everything else is escaped by the template. A list has one element, whose fields are named from it.
 */
export function standIn<Desc extends DescMessage>(
  schema: Desc,
  plain: Plain = { flag: true, number: 1 },
  from = "",
): MessageShape<Desc> {
  const message = create(schema);
  const fields: Record<string, unknown> = message;
  for (const field of schema.fields) {
    const path = `${from}.${goName(field.name)}`;
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING)
      fields[field.localName] = actionToken(field.name.endsWith("html") ? `clean ${path}` : path);
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.BOOL)
      fields[field.localName] = plain.flag;
    if (field.fieldKind === "scalar" && NUMBERS.has(field.scalar)) fields[field.localName] = plain.number;
    if (field.fieldKind === "message" && field.message.typeName.startsWith("serein."))
      fields[field.localName] = standIn(field.message, plain, path);
    if (field.fieldKind === "list" && field.listKind === "scalar" && field.scalar === ScalarType.STRING)
      fields[field.localName] = [actionToken(".")];
    if (field.fieldKind === "list" && field.listKind === "message")
      fields[field.localName] = [standIn(field.message, plain)];
  }
  return message;
}
