import { useState } from "react";
import { useQuery } from "@connectrpc/connect-query";
import { script as copy } from "@/copy/script";
import type { UserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import type { Draft, DraftLine } from "@/gen/serein/web/v1/drafts_pb";
import { DraftService } from "@/gen/serein/web/v1/drafts_pb";
import { CHANGE, REWRITE } from "./script-data";

/** The member's script, read once and then as each change answers it. */
export const useScript = (id: string) => useQuery(DraftService.method.getDraft, { id });

/** Changes of lines; each answers with its trouble, or null. */
export interface LineWrites {
  say: (line: DraftLine, text: string) => Promise<UserError | null>;
  drop: (line: DraftLine, dropped: boolean) => Promise<UserError | null>;
  another: (line: DraftLine) => Promise<UserError | null>;
  pending: boolean;
}

/** Changes of a script's lines, and what is said of the last one. A script that has changed elsewhere is read again. */
export function useLines(draft: Draft, reread: () => unknown) {
  const change = useWrite(CHANGE);
  const rewrite = useWrite(REWRITE);
  const [news, setNews] = useState("");
  const { id, revision } = draft;

  const told = async (sending: Promise<{ trouble: UserError | null }>, done: string) => {
    setNews("");
    const { trouble } = await sending;
    if (trouble?.reason === "DRAFT_CHANGED" || trouble?.reason === "DRAFT_NOT_FOUND") void reread();
    setNews(trouble ? "" : done);
    return trouble;
  };
  const writes: LineWrites = {
    say: ({ number }, text) => told(change.send({ id, revision, line: number, text }), copy.said.saved),
    drop: ({ number }, dropped) =>
      told(
        change.send({ id, revision, line: number, dropped }),
        dropped ? copy.said.dropped : copy.said.back,
      ),
    another: ({ number }) => told(rewrite.send({ id, revision, line: number }), copy.said.another),
    pending: change.pending || rewrite.pending,
  };
  return { writes, news };
}
