import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { diary as words } from "@/copy/diary";
import { useData } from "@/data/data";
import { readDiary, REMOVE_ENTRY, RESTORE_ENTRY, SET_KEEPING, showKeeping } from "@/data/diary";
import { toUserError } from "@/data/errors";
import { runWrite } from "@/data/mutation";
import { byPages } from "@/data/query";
import type { DiaryEntry } from "@/gen/serein/web/v1/diary_pb";
import { DiaryService } from "@/gen/serein/web/v1/diary_pb";
import { now } from "@/lib/clock";
import { localDate } from "@/lib/format";
import { saveText } from "./save-text";
import { fileOf } from "./model";

/** The member's diary, page by page. */
export function useDiary() {
  const query = useInfiniteQuery(DiaryService.method.listEntries, { pageToken: "", pageSize: 50 }, byPages);
  const pages = query.data?.pages;
  return {
    ...query,
    entries: pages?.flatMap((page) => page.entries),
    keeping: pages?.[0]?.keeping ?? false,
    full: pages?.[0]?.full ?? false,
  };
}

/** What has just happened on the page, with the entry that can be restored. */
export interface DiaryNews {
  text: string;
  undo?: DiaryEntry;
  refused?: boolean;
}

/** What is done with the diary as a whole and with its entries, and what came of it. */
export function useDiaryActs() {
  const data = useData();
  const [news, tell] = useState<DiaryNews | null>(null);
  const say = (trouble: { message: string } | null, done: DiaryNews) =>
    tell(trouble ? { text: words.failed(trouble.message), refused: true } : done);
  return {
    news,
    tell,
    setKeeping: async (keeping: boolean) => {
      showKeeping(data, keeping);
      const { trouble } = await runWrite(data, SET_KEEPING, { keeping });
      if (trouble) showKeeping(data, !keeping);
      say(trouble, { text: keeping ? words.kept : words.keptNoMore });
    },
    remove: async (entry: DiaryEntry) => {
      const { trouble } = await runWrite(data, REMOVE_ENTRY, { id: entry.id });
      say(trouble, { text: words.removed, undo: entry });
    },
    restore: async ({ id }: DiaryEntry) => {
      const { trouble } = await runWrite(data, RESTORE_ENTRY, { id });
      say(trouble, { text: words.restored });
    },
    download: async () => {
      const today = localDate(now());
      try {
        saveText(words.file.name(today), fileOf(await readDiary(data), today));
      } catch (cause) {
        say(toUserError(cause), { text: "" });
      }
    },
  };
}
