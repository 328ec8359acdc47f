import { create } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { defineWrite } from "@/data/mutation";
import type { Draft } from "@/gen/serein/web/v1/drafts_pb";
import { DraftService, GetDraftResponseSchema } from "@/gen/serein/web/v1/drafts_pb";
import type { Data } from "@/lib/app";

/** Scripts that are read before they are narrated: their reads and writes. */

const { method } = DraftService;

/** Shows a script as an answer has it. */
function keep({ queryClient, transport }: Data, draft: Draft | undefined): void {
  if (!draft) return;
  const queryKey = createConnectQueryKey({
    schema: method.getDraft,
    transport,
    input: { id: draft.id },
    cardinality: "finite",
  });
  queryClient.setQueryData(queryKey, create(GetDraftResponseSchema, { draft }));
}

/** Has a script written; nothing is held. */
export const WRITE = defineWrite({
  method: method.createDraft,
  invalidates: [method.listDrafts],
  applied: (data, { draft }) => keep(data, draft),
});
export const CHANGE = defineWrite({
  method: method.changeLine,
  applied: (data, { draft }) => keep(data, draft),
});
export const REWRITE = defineWrite({
  method: method.rewriteLine,
  applied: (data, { draft }) => keep(data, draft),
});
export const LET_GO = defineWrite({ method: method.deleteDraft, invalidates: [method.listDrafts] });
