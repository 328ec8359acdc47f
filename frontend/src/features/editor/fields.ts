import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { editor as copy } from "@/copy/editor";
import type { ContentType, Field, Item } from "@/gen/serein/web/v1/editor_pb";
import { FieldSchema } from "@/gen/serein/web/v1/editor_pb";

/** The editor's rules, without a page: how a field is shown, and how its value is sent to the server. */

/** The locale that is edited; the values of other locales stay unchanged. */
export const LOCALE = "en-GB";

export interface LinkRef {
  id: string;
  asset: boolean;
}

/** What stands in the controls of an object's properties. */
export type Parts = Readonly<Record<string, string>>;

/** What stands in a control. */
export type Shown = string | boolean | readonly LinkRef[] | Parts;

export type Control =
  | "line"
  | "text"
  | "whole"
  | "money"
  | "number"
  | "switch"
  | "date"
  | "select"
  | "link"
  | "lines"
  | "links"
  | "parts"
  | "objects"
  | "json";

const SIMPLE: Record<string, Control> = {
  Symbol: "line",
  Text: "text",
  Integer: "whole",
  Number: "number",
  Boolean: "switch",
  Date: "date",
  Link: "link",
};

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values that a field is limited to; none where it is not. */
export function optionsOf(field: Field): string[] {
  const listed = field.validations.flatMap((rule) => (Array.isArray(rule["in"]) ? rule["in"] : []));
  return listed.filter((value) => typeof value === "string");
}

const hasRule = (field: Field, rule: string): boolean => field.validations.some((one) => rule in one);

const propertiesOf = (field: Field): JsonObject | undefined =>
  field.validations.map((one) => one["properties"]).find(isObject);

/** An object's properties, as fields; none for a list of objects, and where its content type does not describe them. */
export const partsOf = (field: Field): Field[] => (propertiesOf(field)?.["list"] ? [] : eachOf(field));

/** The properties of each object of a list, as fields, where one of them identifies it; else none: such a list stays JSON. */
export function objectsOf(field: Field): Field[] {
  const each = propertiesOf(field)?.["list"] ? eachOf(field) : [];
  return each.some(identifies) ? each : [];
}

/** Whether a property says which object of a list it is. */
export const identifies = (part: Field): boolean => hasRule(part, "unique");

function eachOf(field: Field): Field[] {
  const rule = propertiesOf(field)?.["each"];
  const each = Array.isArray(rule) ? rule.filter(isObject) : [];
  return each.map(({ id, name, type, required, validations }) =>
    create(FieldSchema, {
      id: String(id),
      name: String(name),
      type: String(type),
      required: required === true,
      validations: Array.isArray(validations) ? validations.filter(isObject) : [],
    }),
  );
}

export function controlOf(field: Field): Control {
  if (field.type === "Integer" && hasRule(field, "money")) return "money";
  if (field.type === "Object" && partsOf(field).length > 0) return "parts";
  if (field.type === "Object" && objectsOf(field).length > 0) return "objects";
  if (field.type === "Array") return field.itemsType === "Link" ? "links" : "lines";
  if (field.type === "Symbol" && optionsOf(field).length > 0) return "select";
  return SIMPLE[field.type] ?? "json";
}

/** What a field holds in the edited locale. */
export function valueOf(item: Item | undefined, fieldId: string): JsonValue | undefined {
  const locales = item?.fields?.[fieldId];
  return isObject(locales) ? locales[LOCALE] : undefined;
}

function linkOf(value: JsonValue | undefined): LinkRef[] {
  const sys = isObject(value) ? value["sys"] : undefined;
  if (!isObject(sys) || typeof sys["id"] !== "string") return [];
  return [{ id: sys["id"], asset: sys["linkType"] === "Asset" }];
}

const linkValue = ({ id, asset }: LinkRef): JsonValue => ({
  sys: { type: "Link", linkType: asset ? "Asset" : "Entry", id },
});

/** An amount in minor units as people write it: 799 is 7.99. */
const pounds = (minor: number): string =>
  Number.isInteger(minor) ? (minor / 100).toFixed(2) : String(minor);

/** An amount as people write it, in minor units; undefined where it is none. */
function minorOf(text: string): number | undefined {
  const [, whole, rest = ""] = /^\s*£?\s*(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(rest.padEnd(2, "0"));
}

/** A list of objects as it stands in its control. */
export const listed = (objects: readonly JsonObject[]): string =>
  objects.length > 0 ? JSON.stringify(objects) : "";

/** What stands in the control of a list of objects. */
export const objectsIn = (text: string): JsonObject[] =>
  text ? (JSON.parse(text) as JsonValue[]).filter(isObject) : [];

/** A list with one element at another's place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const one = list[from];
  if (one === undefined || to < 0 || to >= list.length) return [...list];
  const others = list.filter((_, i) => i !== from);
  return [...others.slice(0, to), one, ...others.slice(to)];
}

/** A value as its control shows it. */
export function shown(field: Field, value: JsonValue | undefined): Shown {
  const list = Array.isArray(value) ? value : [];
  switch (controlOf(field)) {
    case "switch":
      return value === true;
    case "link":
      return linkOf(value);
    case "links":
      return list.flatMap(linkOf);
    case "lines":
      return list.filter((line) => typeof line === "string").join("\n");
    case "money":
      return typeof value === "number" ? pounds(value) : "";
    case "parts":
      return Object.fromEntries(
        partsOf(field).map((part) => [
          part.id,
          String(shown(part, isObject(value) ? value[part.id] : undefined)),
        ]),
      );
    case "objects":
      return listed(list.filter(isObject));
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2);
    default:
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
  }
}

const isList = (now: readonly LinkRef[] | Parts): now is readonly LinkRef[] => Array.isArray(now);

/** A value for the server (undefined: none), or what is wrong with it. */
export type Told = { value: JsonValue | undefined; fault?: undefined } | { fault: string };

function toldText(control: Control, text: string): Told {
  if (text.trim() === "") return { value: undefined };
  if (control === "whole")
    return /^\s*[+-]?\d{1,15}\s*$/.test(text) ? { value: Number(text) } : { fault: copy.faultsOf.integer };
  if (control === "number")
    return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: copy.faultsOf.number };
  if (control === "money") {
    const value = minorOf(text);
    return value === undefined ? { fault: copy.faultsOf.money } : { value };
  }
  if (control === "lines") {
    const lines = text.split("\n").map((line) => line.trim());
    return { value: lines.filter(Boolean) };
  }
  if (control === "objects") {
    const value = objectsIn(text);
    return { value: value.length > 0 ? value : undefined };
  }
  if (control !== "json") return { value: text };
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (cause) {
    return { fault: copy.faultsOf.json((cause as Error).message) };
  }
}

/** An object of what stands in its parts; none where all are empty. A part that has one choice is given with the others. */
function toldParts(parts: readonly Field[], now: Parts): Told {
  const value: JsonObject = {};
  if (parts.every(({ id }) => !now[id]?.trim())) return { value: undefined };
  for (const part of parts) {
    const [only, ...others] = optionsOf(part);
    const answer = told(part, now[part.id]?.trim() || (others.length === 0 && only) || "");
    if (answer.fault !== undefined) return { fault: `${part.name}: ${answer.fault}` };
    if (answer.value !== undefined) value[part.id] = answer.value;
  }
  return { value };
}

/** What stands in a control, for the server. What is missing is no fault of a draft: publishing asks for it. */
export function told(field: Field, now: Shown): Told {
  const control = controlOf(field);
  if (typeof now === "string") return toldText(control, now);
  if (typeof now === "boolean") return { value: now };
  if (!isList(now)) return toldParts(partsOf(field), now);
  const [first] = now;
  if (control === "links") return { value: now.map(linkValue) };
  return { value: first && linkValue(first) };
}

/** A picture or a sound of Serein's, with its address. */
export interface Media {
  src: string;
  sound: boolean;
}

const NARRATION = /^[0-9a-f]+\.mp3$/;
/** The prefix under which content stores files; the gateway puts in the host when it answers readers. */
const KEPT = "//serein/media/assets/";

/** Returns the picture or sound that a field's value names: a narration's name, or a file. */
export function mediaOf(value: JsonValue | undefined): Media | undefined {
  if (typeof value === "string")
    return NARRATION.test(value) ? { src: `/media/narrations/${value}`, sound: true } : undefined;
  const { url, contentType } = isObject(value) ? value : {};
  if (typeof url !== "string" || typeof contentType !== "string" || !url.startsWith(KEPT)) return undefined;
  const sound = contentType.startsWith("audio/");
  if (!sound && !contentType.startsWith("image/")) return undefined;
  return { src: url.replace("//serein", ""), sound };
}

/** What somebody has changed of a field: as it stands in the control, and what the field held before, as JSON. */
export interface Edit {
  now: Shown;
  was: string;
}
export type Edits = Readonly<Record<string, Edit>>;

export const jsonOf = (value: JsonValue | undefined): string => JSON.stringify(value) ?? "";

/** All but one. */
export const without = <T>(all: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([id]) => id !== name));

/** The edits with one more; one that changes nothing is none. */
export function edited(edits: Edits, item: Item | undefined, field: Field, now: Shown): Edits {
  const before = edits[field.id];
  const others = without(edits, field.id);
  const value = valueOf(item, field.id);
  if (JSON.stringify(shown(field, value)) === JSON.stringify(now)) return others;
  return { ...others, [field.id]: { now, was: before?.was ?? jsonOf(value) } };
}

/** The edited fields that a newer version of the item has changed as well. */
export const collisions = (edits: Edits, newer: Item): string[] =>
  Object.keys(edits).filter((id) => edits[id]?.was !== jsonOf(valueOf(newer, id)));

/** What is wrong with each field as it stands; service's own are not the editor's to mend. */
export function faultsOf(
  fields: readonly Field[],
  item: Item | undefined,
  edits: Edits,
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const field of fields) {
    if (field.disabled) continue;
    const { fault } = told(field, edits[field.id]?.now ?? shown(field, valueOf(item, field.id)));
    if (fault) faults[field.id] = fault;
  }
  return faults;
}

/** All fields of an item for the server: the edits on top of what it held, without the service's own. */
export function fieldsOf(fields: readonly Field[], item: Item | undefined, edits: Edits): JsonObject {
  const out: JsonObject = {};
  for (const field of fields) {
    if (field.disabled) continue;
    const before = item?.fields?.[field.id];
    const locales: JsonObject = isObject(before) ? { ...before } : {};
    const edit = edits[field.id];
    const { value } = edit ? (told(field, edit.now) as { value?: JsonValue }) : { value: locales[LOCALE] };
    if (value === undefined) delete locales[LOCALE];
    else locales[LOCALE] = value;
    if (Object.keys(locales).length > 0) out[field.id] = locales;
  }
  return out;
}

/** The field that a refusal of the server is about ("fields.title.en-GB"), or "". */
export const fieldIn = (path: string, fields: readonly Field[]): string =>
  path.split(/[.[\]]/).find((part) => fields.some((f) => f.id === part)) ?? "";

/** The content types that a link may lead to; none: any. */
export function linkedTypes(field: Field): string[] {
  const rules = field.validations.flatMap((rule) => rule["linkContentType"] ?? []);
  return rules.filter((value) => typeof value === "string");
}

/** Assets have no content type; these are their fields. */
export const ASSET_FIELDS: readonly Field[] = [
  create(FieldSchema, { id: "title", name: copy.asset.title, type: "Symbol", required: true }),
  create(FieldSchema, { id: "description", name: copy.asset.description, type: "Text" }),
  create(FieldSchema, { id: "file", name: copy.asset.file, type: "Object", disabled: true }),
];

/** What the editor shows of an item: of an entry by its type, of an asset always the same. */
export const fieldsFor = (type: ContentType | undefined): readonly Field[] => type?.fields ?? ASSET_FIELDS;

export type ItemState = "draft" | "published" | "changed" | "archived";

/** Publishing makes a version itself: readers have the version before it. */
export function stateOf({ archived, publishedVersion, version }: Item): ItemState {
  if (archived) return "archived";
  if (publishedVersion === 0) return "draft";
  return version > publishedVersion + 1 ? "changed" : "published";
}

const MAX_SLUG = 48;

/** An id for a new item: what it is called, and a few letters, so that two of a name are two. */
export function idFor(title: string, random: string): string {
  const slug = title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, MAX_SLUG);
  return slug ? `${slug}-${random}` : random;
}
