import type { ConnectRouter } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import type { DiaryEntry } from "@/gen/serein/web/v1/diary_pb";
import { DiaryEntrySchema, DiaryService } from "@/gen/serein/web/v1/diary_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";

/** A diary from memory. `?scene=empty`: it is off, and nothing is written. */

const heard = (day: string, kind: ItemKind, title: string, minutes: number, line = "") =>
  create(DiaryEntrySchema, {
    id: `${day} ${title}`,
    day,
    item: { kind, id: "one" },
    slug: "rest-is-not-a-reward",
    title,
    heardMs: BigInt(minutes * 60_000),
    finished: minutes > 5,
    line,
    available: kind !== ItemKind.BESPOKE,
  });

const WRITTEN: readonly DiaryEntry[] = [
  heard("2026-12-01", ItemKind.MEDITATION, "The lake after rain", 8, "Asleep before the second shore."),
  heard("2026-11-30", ItemKind.BESPOKE, "After the long meeting", 6),
  create(DiaryEntrySchema, {
    id: "sat",
    day: "2026-11-28",
    line: "Ten quiet minutes on the step, before anybody was up. The kettle could wait, and did.",
    byHand: true,
  }),
  heard("2026-10-12", ItemKind.ARTICLE, "Rest is not a reward", 3, "To read again on a Sunday."),
];

/** As a diary begins: the address is known in a browser alone, not where the build writes pages. */
function begin() {
  const none = new URLSearchParams(window.location.search).get("scene") === "empty";
  return { keeping: !none, entries: none ? [] : [...WRITTEN], removed: [] as DiaryEntry[] };
}

const give = (entry: DiaryEntry | undefined) => (entry ? { entry } : {});
const sort = (list: DiaryEntry[]) => list.toSorted((a, b) => b.day.localeCompare(a.day));

export function mockDiary(router: ConnectRouter): void {
  let begun: ReturnType<typeof begin> | undefined;
  const kept = () => (begun ??= begin());
  router.service(DiaryService, {
    listEntries: () => ({ entries: kept().entries, keeping: kept().keeping }),
    setKeeping: ({ keeping }) => {
      kept().keeping = keeping;
      return {};
    },
    addEntry: ({ requestId: id, day, line }) => {
      const entry = create(DiaryEntrySchema, { id, day, line, byHand: true });
      kept().entries = sort([entry, ...kept().entries]);
      return { entry };
    },
    changeEntry: ({ id, line }) => {
      kept().entries = kept().entries.map((entry) => (entry.id === id ? { ...entry, line } : entry));
      return give(kept().entries.find((entry) => entry.id === id));
    },
    removeEntry: ({ id }) => {
      kept().removed = kept().entries.filter((entry) => entry.id === id);
      kept().entries = kept().entries.filter((entry) => entry.id !== id);
      return {};
    },
    restoreEntry: () => {
      kept().entries = sort([...kept().entries, ...kept().removed]);
      return give(kept().removed[0]);
    },
    emptyDiary: () => {
      kept().entries = [];
      return {};
    },
  });
}
