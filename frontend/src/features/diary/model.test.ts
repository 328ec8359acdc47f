import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { DiaryEntrySchema } from "@/gen/serein/web/v1/diary_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { lineFault } from "@/data/diary";
import { addressOf, byMonths, fileOf, heardWords, nameOf } from "./model";

const lake = create(DiaryEntrySchema, {
  id: "1",
  day: "2026-12-01",
  item: { kind: ItemKind.MEDITATION, id: "lake" },
  title: "The lake after rain",
  heardMs: 492_000n,
  finished: true,
  line: "Quieter now.",
  available: true,
  immersive: true,
});
const sat = create(DiaryEntrySchema, {
  id: "2",
  day: "2026-11-30",
  line: "Sat by myself.",
  byHand: true,
});
const gone = create(DiaryEntrySchema, { id: "3", day: "2026-11-02", heardMs: 61_000n });

describe("the diary", () => {
  it("stands under its months, the last first", () => {
    expect(byMonths([lake, sat, gone]).map(({ title, entries }) => [title, entries.length])).toEqual([
      ["December 2026", 1],
      ["November 2026", 2],
    ]);
    expect(byMonths([])).toEqual([]);
  });

  it("says what was heard, and for how long", () => {
    expect([lake, sat, gone].map((entry) => [nameOf(entry), heardWords(entry)])).toEqual([
      ["The lake after rain, Tuesday 1 December", "8 minutes, to its end"],
      ["your own entry, Monday 30 November", ""],
      ["A meditation of yours, Monday 2 November", "1 minute"],
    ]);
  });

  it("leads to what can be heard or read again", () => {
    expect(addressOf(lake, true)).toBe("/meditation-library?search=The+lake+after+rain");
    expect(addressOf(lake, false)).toBeUndefined();
    expect(addressOf({ ...lake, available: false }, true)).toBeUndefined();
    const item = (kind: ItemKind) => create(DiaryEntrySchema, { item: { kind, id: "x" } }).item;
    const rest = { ...lake, slug: "rest", item: item(ItemKind.ARTICLE) as never };
    expect(addressOf(rest, false)).toBe("/articles/rest");
    expect(addressOf({ ...lake, item: item(ItemKind.BESPOKE) as never }, false)).toBe("/journey/x");
    expect(addressOf(sat, true)).toBeUndefined();
  });

  it("takes 280 characters, of whatever alphabet", () => {
    expect(lineFault("🌊".repeat(280), true)).toBeUndefined();
    expect(lineFault("a".repeat(281), true)).toBe("Please keep it to 280 characters.");
    expect(lineFault("  ", true)).toBe("Please write a line.");
    expect(lineFault("  ", false)).toBeUndefined();
  });

  it("is a text to keep", () => {
    expect(fileOf([lake, sat, gone], "2026-12-02")).toBe(
      `Your listening diary, as it was on 2 December 2026

1 December 2026, The lake after rain, 8 minutes, to its end
Quieter now.

30 November 2026
Sat by myself.

2 November 2026, A meditation of yours, 1 minute
`,
    );
  });
});
