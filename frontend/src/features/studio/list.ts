import type { Made } from "@/gen/serein/web/v1/studio_pb";

/** What an admin has done with a row, to be shown in its place. */
export interface RowResult {
  made: Made;
  act: "verified" | "deleted";
}

/** The list of what nobody has verified yet, as an admin has changed it. */
export interface ListState {
  /** The id of the row whose sound is open, one at a time; "" for none. */
  playing: string;
  /** By the row's id. */
  results: ReadonlyMap<string, RowResult>;
  /** The ids of the rows, as they stood when the last one was changed. */
  order: readonly string[];
}

export type ListChange =
  | { type: "played"; id: string }
  | { type: "done"; result: RowResult; shown: readonly Made[] }
  | { type: "restored"; made: Made; shown: readonly Made[] };

export const UNCHANGED: ListState = { playing: "", results: new Map(), order: [] };

export const idOf = (made: Made): string => made.item?.id ?? "";

/** The list after a change. A row that was verified or deleted closes the open sound, and each row keeps its place. */
export function changed(list: ListState, change: ListChange): ListState {
  if (change.type === "played") return { ...list, playing: change.id };
  const results = new Map(list.results);
  const order = change.shown.map(idOf);
  if (change.type === "restored") {
    results.delete(idOf(change.made));
    return { ...list, results, order };
  }
  results.set(idOf(change.result.made), change.result);
  return { playing: "", results, order };
}

/** The rows to show: those that the server lists, and those that an admin has changed, each where it stood. */
export function rowsOf(listed: readonly Made[], { results, order }: ListState): Made[] {
  const known = [...[...results.values()].map((result) => result.made), ...listed];
  const byId = new Map(known.map((made) => [idOf(made), made]));
  const places = [...order, ...listed.map(idOf).filter((id) => !order.includes(id))];
  return places.flatMap((id) => byId.get(id) ?? []);
}
