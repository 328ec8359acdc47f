import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import type { UserError } from "@/data/errors";
import { FieldSchema, ItemSchema } from "@/gen/serein/web/v1/editor_pb";
import type { Editing, EditingChange } from "./editing";
import { begunWith, changed } from "./editing";

const TITLE = create(FieldSchema, { id: "title", name: "title", type: "Symbol" });
const BODY = create(FieldSchema, { id: "body", name: "body", type: "Text" });
const FIELDS = [TITLE, BODY];

const item = (title: string, body: string, version = 3) =>
  create(ItemSchema, {
    id: "on-rain",
    version,
    fields: { title: { "en-GB": title }, body: { "en-GB": body } },
  });
const refusal = (field: string): UserError => ({
  title: "",
  message: "Too long",
  reason: "",
  field,
  retry: false,
  code: Code.InvalidArgument,
});

const begun = begunWith(item("On rain", "It falls."), null);
const after = (from: Editing, ...changes: EditingChange[]) =>
  changes.reduce((now, change) => changed(now, change), from);
const typed: EditingChange = { type: "typed", field: TITLE, now: "On snow" };

test("a newer version is put below what is typed, and names the fields that both have changed", () => {
  const met = after(begun, typed, { type: "met", newer: item("On hail", "It falls.", 4) });
  expect(met.edits["title"]?.now).toBe("On snow");
  expect(met.conflict).toEqual({ version: 4, fields: ["title"] });
  const theirs = after(met, { type: "theirsTaken", fieldId: "title" });
  expect(theirs.edits).toEqual({});
  expect(theirs.conflict).toEqual({ version: 4, fields: [] });
});

test("a draft of an older version begins with that conflict", () => {
  const { edits } = after(begun, typed);
  const again = begunWith(item("On hail", "It falls.", 4), { version: 3, edits });
  expect(again.conflict).toEqual({ version: 4, fields: ["title"] });
});

test("what was typed while it was being saved stays", () => {
  const sent = after(begun, typed);
  const saved = after(
    sent,
    { type: "typed", field: BODY, now: "It melts." },
    { type: "saved", sent: sent.edits },
    { type: "shown", item: item("On snow", "It falls.", 4) },
  );
  expect(Object.keys(saved.edits)).toEqual(["body"]);
  expect(saved.item.version).toBe(4);
  expect(saved.conflict).toBeNull();
});

test("a refusal stands at its field until that is typed in, and above the form where it names none", () => {
  const at = after(begun, { type: "refused", refused: refusal("fields.title"), fields: FIELDS });
  expect(at.faults).toEqual({ title: "Too long" });
  expect(at.trouble).toBeNull();
  expect(after(at, typed).faults).toEqual({});
  const above = after(begun, { type: "refused", refused: refusal(""), fields: FIELDS });
  expect(above.trouble?.message).toBe("Too long");
  expect(after(above, { type: "begun" }).trouble).toBeNull();
});
