import { createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { useEffect, useReducer } from "react";
import { editor as copy } from "@/copy/editor";
import { useData } from "@/data/data";
import type { UserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import type { Field, Item, Step } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { ownedDraft } from "@/lib/owned-draft";
import { useMember } from "@/lib/session";
import { toast } from "@/ui/toast/store";
import { begunWith, changed } from "./editing";
import type { Edits, Shown } from "./fields";
import { faultsOf, fieldsOf } from "./fields";
import { CHANGE, RESTORE_REVISION, UPDATE } from "./writes";

export interface ItemKey {
  asset: boolean;
  id: string;
}

/** What somebody has typed and not saved, of the version that they saw. */
interface Draft {
  version: number;
  edits: Edits;
}

const draftOf = ({ asset, id }: ItemKey) =>
  ownedDraft<Draft>(`serein-editor-${asset ? "asset" : "entry"}-${id}`, ({ version, edits }) =>
    Boolean(version && edits && Object.values(edits).every((edit) => typeof edit?.was === "string")),
  );

/**
 * An item that is being edited. What is typed stands on top of the version that is known, and stays in this tab. When the
 * server says that there is a newer one, that one is put below: nothing typed is lost, nothing of others overwritten unseen.
 */
export function useItem(key: ItemKey, first: Item, fields: readonly Field[]) {
  const uid = useMember()?.uid;
  const { queryClient, transport } = useData();
  const [editing, change] = useReducer(changed, null, () => begunWith(first, draftOf(key).read(uid)));
  const { item, edits } = editing;
  const update = useWrite(UPDATE);
  const step = useWrite(CHANGE);
  const restore = useWrite(RESTORE_REVISION);
  const { refetch } = useQuery(EditorService.method.getItem, { key }, { enabled: false });

  const dirty = Object.keys(edits).length > 0;
  useEffect(() => {
    if (dirty) draftOf(key).keep({ version: item.version, edits }, uid);
    else draftOf(key).drop();
    // The key is the same for as long as the item is shown.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [dirty, edits, item.version, uid]);

  /** The version that the cache of reads holds is no longer the newest. */
  const outdated = () => {
    const schema = EditorService.method.getItem;
    const queryKey = createConnectQueryKey({ schema, transport, input: { key }, cardinality: "finite" });
    void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  };
  const refuse = async (refused: UserError) => {
    if (refused.reason !== "VERSION_MISMATCH") return change({ type: "refused", refused, fields });
    const { data } = await refetch();
    if (!data?.item) return;
    outdated();
    change({ type: "met", newer: data.item });
  };
  const done = (next: Item, words: string) => {
    outdated();
    change({ type: "shown", item: next });
    toast(words);
  };

  return {
    ...editing,
    dirty,
    pending: update.pending || step.pending || restore.pending,
    change: (field: Field, now: Shown) => change({ type: "typed", field, now }),
    /** Takes the newer version's word for a field. */
    takeTheirs: (fieldId: string) => change({ type: "theirsTaken", fieldId }),
    drop: () => {
      change({ type: "dropped" });
      toast(copy.dropped, "info");
    },
    save: async () => {
      change({ type: "begun" });
      const faults = faultsOf(fields, item, edits);
      if (Object.keys(faults).length > 0) return change({ type: "faulty", faults });
      const { answer, trouble: refused } = await update.send({
        key,
        version: item.version,
        fields: fieldsOf(fields, item, edits),
      });
      if (refused) return refuse(refused);
      change({ type: "saved", sent: edits });
      if (answer.item) done(answer.item, copy.saved);
    },
    /** Publishes, takes back, archives or deletes; `onGone` hears that it was deleted. */
    step: async (to: Step, words: string, onGone: () => void) => {
      change({ type: "begun" });
      const { answer, trouble: refused } = await step.send({ key, version: item.version, step: to });
      if (refused) return refuse(refused);
      if (answer.item) return done(answer.item, words);
      toast(words);
      onGone();
    },
    restore: async (revision: number) => {
      change({ type: "begun" });
      const { answer, trouble: refused } = await restore.send({ key, version: item.version, revision });
      if (refused) return refuse(refused);
      if (answer.item) done(answer.item, copy.restored(revision));
    },
  };
}

export type OpenItem = ReturnType<typeof useItem>;
