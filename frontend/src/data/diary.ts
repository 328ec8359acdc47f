import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import type { InfiniteData } from "@tanstack/react-query";
import { diary as words } from "@/copy/diary";
import type { DiaryEntry, ListEntriesResponse } from "@/gen/serein/web/v1/diary_pb";
import { DiaryService } from "@/gen/serein/web/v1/diary_pb";
import { AddEntryRequestRules as RULES } from "@/gen/serein/web/v1/diary_rules";
import type { Data } from "@/lib/app";
import { faultOf } from "@/ui/form/rules";
import { defineWrite } from "./mutation";

/** The member's listening diary, for the page that shows it and for the player, which offers a line. */

const { listEntries } = DiaryService.method;
const invalidates = [listEntries] as const;

/** Changes the pages that are shown, before they are read again. */
function changePages(data: Data, of: (page: ListEntriesResponse) => ListEntriesResponse): void {
  const queryKey = createConnectQueryKey({
    schema: listEntries,
    transport: data.transport,
    cardinality: "infinite",
  });
  data.queryClient.setQueriesData<InfiniteData<ListEntriesResponse>>(
    { queryKey },
    (before) => before && { ...before, pages: before.pages.map(of) },
  );
}

const change = (data: Data, of: (entries: DiaryEntry[]) => DiaryEntry[]): void =>
  changePages(data, (page) => ({ ...page, entries: of(page.entries) }));

/** Shows the switch as it was pressed. What the gateway says of it is read once it has answered. */
export const showKeeping = (data: Data, keeping: boolean): void =>
  changePages(data, (page) => ({ ...page, keeping }));

export const SET_KEEPING = defineWrite({ method: DiaryService.method.setKeeping, invalidates });
export const ADD_ENTRY = defineWrite({ method: DiaryService.method.addEntry, invalidates });
export const CHANGE_LINE = defineWrite({
  method: DiaryService.method.changeEntry,
  invalidates,
  applied: (data, { entry }) => {
    if (entry) change(data, (entries) => entries.map((before) => (before.id === entry.id ? entry : before)));
  },
});
export const REMOVE_ENTRY = defineWrite({ method: DiaryService.method.removeEntry, invalidates });
export const RESTORE_ENTRY = defineWrite({ method: DiaryService.method.restoreEntry, invalidates });
export const EMPTY_DIARY = defineWrite({
  method: DiaryService.method.emptyDiary,
  invalidates,
  applied: (data) => change(data, () => []),
});

/** What is wrong with a line, where `needed` says that there must be one. */
export const lineFault = (line: string, needed: boolean): string | undefined =>
  faultOf(line.trim(), RULES.line, { long: words.long, ...(needed && { missing: words.missing }) });

/** The most that the gateway answers of a diary at once. */
const PAGE = 500;

/** All of the diary, the last day first. Throws as its calls do. */
export async function readDiary({ transport }: Data): Promise<DiaryEntry[]> {
  const all: DiaryEntry[] = [];
  let pageToken = "";
  do {
    const page = await callUnaryMethod(transport, listEntries, { pageSize: PAGE, pageToken });
    all.push(...page.entries);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return all;
}
