import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import type { Field } from "@/gen/serein/web/v1/editor_pb";
import { FieldSchema, ItemSchema } from "@/gen/serein/web/v1/editor_pb";
import {
  collisions,
  edited,
  faultsOf,
  fieldIn,
  fieldsOf,
  idFor,
  moved,
  shown,
  stateOf,
  told,
} from "./fields";

const field = (id: string, type: string, more: Partial<Field> = {}): Field =>
  Object.assign(create(FieldSchema, { id, name: id, type }), more);

const TITLE = field("title", "Symbol");
const BODY = field("body", "Text");
const FACTS = field("facts", "Object");
const HASH = field("hash", "Symbol", { disabled: true });
const FIELDS = [TITLE, BODY, FACTS, HASH];

const item = (title: string, body: string, version = 3) =>
  create(ItemSchema, {
    id: "on-rain",
    version,
    fields: { title: { "en-GB": title, cy: "Glaw" }, body: { "en-GB": body }, hash: { "en-GB": "3f2a" } },
  });

describe("a field", () => {
  const LINK = { sys: { type: "Link", linkType: "Asset", id: "lake" } };
  const cases: [Field, unknown][] = [
    [TITLE, "On rain"],
    [field("n", "Integer"), -4],
    [field("x", "Number"), 1.5],
    [field("b", "Boolean"), true],
    [field("d", "Date"), "2026-11-20"],
    [field("l", "Link", { linkType: "Asset" }), LINK],
    [field("s", "Array", { itemsType: "Symbol" }), ["rain", "lake"]],
    [field("m", "Array", { itemsType: "Link", linkType: "Asset" }), [LINK]],
    [FACTS, { minutes: 4, of: [1, null] }],
    [field("p", "Location"), { lat: 52.1, lon: -1 }],
  ];
  test.each(cases)("%# tells the server what it showed", (of, value) => {
    expect(told(of, shown(of, value as never))).toEqual({ value });
  });

  test("that is emptied is none", () => {
    for (const of of [TITLE, BODY, FACTS, field("n", "Integer"), field("d", "Date")])
      expect(told(of, "  ")).toEqual({ value: undefined });
    expect(told(field("l", "Link"), [])).toEqual({ value: undefined });
  });

  test("says what is wrong with a number or with JSON", () => {
    expect(told(field("n", "Integer"), "1.5").fault).toMatch(/whole number/);
    expect(told(field("x", "Number"), "four").fault).toMatch(/number/);
    expect(told(FACTS, "{").fault).toMatch(/^This isn’t valid JSON: /);
    const fields = [field("n", "Integer")];
    const edits = edited({}, undefined, field("n", "Integer"), "four");
    expect(Object.keys(faultsOf(fields, undefined, edits))).toEqual(["n"]);
  });
});

describe("money and objects", () => {
  const money = { validations: [{ money: true }] };
  const MONTHLY = field("monthly", "Object", {
    validations: [
      {
        properties: {
          each: [
            { id: "price", name: "Price", type: "Integer", required: true, ...money },
            { id: "currency", name: "Currency", type: "Symbol", validations: [{ in: ["gbp"] }] },
            { id: "credits", name: "Credits", type: "Integer" },
          ],
        },
      },
    ],
  });

  test("an amount is written in pounds and told in pence", () => {
    const price = field("price", "Integer", money);
    expect(shown(price, 799)).toBe("7.99");
    for (const [text, value] of [
      ["7.99", 799],
      ["£12", 1200],
      ["0.5", 50],
      ["1234.05", 123405],
    ] as const)
      expect(told(price, text)).toEqual({ value });
    for (const text of ["7,99", "-5", "7.999", "seven", "1e3"])
      expect(told(price, text).fault).toMatch(/in pounds, such as 7.99/);
  });

  test("an object is shown by its properties, and told whole", () => {
    expect(shown(MONTHLY, { price: 799, currency: "gbp", credits: 20, prise: 1 })).toEqual({
      price: "7.99",
      currency: "gbp",
      credits: "20",
    });
    expect(told(MONTHLY, { price: "8.50", currency: "", credits: "20" })).toEqual({
      value: { price: 850, currency: "gbp", credits: 20 },
    });
    expect(told(MONTHLY, { price: "eight", currency: "gbp", credits: "20" }).fault).toMatch(/^Price: /);
    expect(told(MONTHLY, { price: "", currency: "", credits: "" })).toEqual({ value: undefined });
  });

  test("a list of objects, and an object whose properties are not described, stay JSON", () => {
    const notes = field("notes", "Object", {
      validations: [{ properties: { list: true, each: [{ id: "title" }] } }],
    });
    expect(shown(notes, [{ title: "Sizes" }])).toMatch(/^\[/);
    expect(shown(FACTS, { a: 1 })).toMatch(/^\{/);
  });
});

describe("a list of objects with ids", () => {
  const DAYS = field("days", "Object", {
    validations: [
      {
        properties: {
          list: true,
          each: [
            { id: "id", name: "Id", type: "Symbol", validations: [{ unique: true }] },
            { id: "title", name: "Title", type: "Symbol" },
          ],
        },
      },
    ],
  });

  test("goes to the server as it was shown, and an empty one is left out", () => {
    const days = [
      { id: "one", title: "One" },
      { id: "two", title: "Two" },
    ];
    expect(told(DAYS, shown(DAYS, days))).toEqual({ value: days });
    expect(told(DAYS, shown(DAYS, []))).toEqual({ value: undefined });
  });

  test("has one of it at another's place, and stays as it is where there is no such place", () => {
    expect(moved([1, 2, 3], 0, 2)).toEqual([2, 3, 1]);
    expect(moved([1, 2, 3], 2, 0)).toEqual([3, 1, 2]);
    expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3]);
    expect(moved([1, 2, 3], 1, 3)).toEqual([1, 2, 3]);
  });
});

describe("edits", () => {
  test("go to the server on top of what was there, with other locales and without the service's own", () => {
    const edits = edited({}, item("On rain", "It falls."), TITLE, "On snow");
    expect(fieldsOf(FIELDS, item("On rain", "It falls."), edits)).toEqual({
      title: { "en-GB": "On snow", cy: "Glaw" },
      body: { "en-GB": "It falls." },
    });
  });

  test("that are typed back are none", () => {
    const first = edited({}, item("On rain", ""), TITLE, "On snow");
    expect(edited(first, item("On rain", ""), TITLE, "On rain")).toEqual({});
  });

  test("collide with a newer version where both have changed the same field, and nowhere else", () => {
    const edits = edited({}, item("On rain", "It falls."), TITLE, "On snow");
    expect(collisions(edits, item("On rain", "It fell.", 4))).toEqual([]);
    expect(collisions(edits, item("On hail", "It falls.", 4))).toEqual(["title"]);
  });
});

test("a refusal's field is found in its path", () => {
  expect(fieldIn("fields.title.en-GB", FIELDS)).toBe("title");
  expect(fieldIn("body", FIELDS)).toBe("body");
  expect(fieldIn("fields.nowhere", FIELDS)).toBe("");
});

test("an id is the item's title, followed by a random suffix", () => {
  expect(idFor("Été, by the lake!", "a1b2c3")).toBe("ete-by-the-lake-a1b2c3");
  expect(idFor("雨", "a1b2c3")).toBe("a1b2c3");
  expect(idFor("x".repeat(300), "a1b2c3").length).toBeLessThanOrEqual(64);
});

test("publishing makes a version itself, so only a later version is a change", () => {
  const at = (version: number, publishedVersion: number, archived = false) =>
    stateOf(create(ItemSchema, { version, publishedVersion, archived }));
  expect(at(1, 0)).toBe("draft");
  expect(at(2, 1)).toBe("published");
  expect(at(3, 1)).toBe("changed");
  expect(at(4, 0, true)).toBe("archived");
});
