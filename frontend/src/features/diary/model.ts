import { diary as words } from "@/copy/diary";
import type { DiaryEntry } from "@/gen/serein/web/v1/diary_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { formatDay, formatUnit, formatVersion, listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";

/** "Tuesday 1 December" of a day of the diary; noon is the same day everywhere. */
export const dayWords = (day: string): string => formatDay(new Date(`${day}T12:00:00`).getTime());

export interface Month {
  /** "2026-12" */
  id: string;
  /** "December 2026" */
  title: string;
  entries: DiaryEntry[];
}

/** The entries under their months, in their order. */
export function byMonths(entries: readonly DiaryEntry[]): Month[] {
  const months: Month[] = [];
  for (const entry of entries) {
    const id = entry.day.slice(0, 7);
    if (months.at(-1)?.id !== id)
      months.push({ id, title: formatVersion(`${id}-01`).replace(/^\S+ /, ""), entries: [] });
    months.at(-1)?.entries.push(entry);
  }
  return months;
}

/** What was heard, as it was called then; "" for what was written by hand. */
export const whatOf = ({ byHand, title }: DiaryEntry): string => (byHand ? "" : title || words.own);

/** "12 minutes, to its end"; "" for what was written by hand. */
export function heardWords({ byHand, heardMs, finished }: DiaryEntry): string {
  if (byHand) return "";
  const minutes = formatUnit(listeningOf(Number(heardMs) / 1000), "minute");
  return finished ? `${minutes}, ${words.toItsEnd}` : minutes;
}

/** The name of an entry in the names of its buttons. */
export const nameOf = (entry: DiaryEntry): string =>
  words.entryOf(whatOf(entry) || words.byHand, dayWords(entry.day));

/** Where what was heard is read or heard again; undefined where that is nowhere. `library`: the member's plan has the library. */
export function addressOf(
  { item, available, slug, title, immersive }: DiaryEntry,
  library: boolean,
): string | undefined {
  if (!item || !available) return undefined;
  if (item.kind === ItemKind.ARTICLE) return paths.article(slug);
  if (item.kind === ItemKind.BESPOKE) return paths.listen(item.id);
  return library ? paths.inLibrary(title, immersive) : undefined;
}

/** The diary as a text to keep, the last day first. `today` is YYYY-MM-DD. */
export function fileOf(entries: readonly DiaryEntry[], today: string): string {
  const parts = entries.map((entry) => {
    const head = [formatVersion(entry.day), whatOf(entry), heardWords(entry)].filter(Boolean).join(", ");
    return entry.line ? `${head}\n${entry.line}` : head;
  });
  return `${[words.file.head(formatVersion(today)), ...parts].join("\n\n")}\n`;
}
