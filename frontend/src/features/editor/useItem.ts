import { createConnectQueryKey, useQuery } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { editor as copy } from "@/copy/editor";
import { useData } from "@/data/data";
import type { Trouble } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import type { Field, Item, Step } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { ownedDraft } from "@/lib/owned-draft";
import { useMember } from "@/lib/session";
import { toast } from "@/ui/toast/store";
import type { Edits, Shown } from "./fields";
import { collisions, edited, faultsOf, fieldIn, fieldsOf, without } from "./fields";
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

/** Somebody else's newer version, and the fields that both have changed. */
export interface Conflict {
  version: number;
  fields: readonly string[];
}

const conflictWith = (edits: Edits, newer: Item): Conflict => ({
  version: newer.version,
  fields: collisions(edits, newer),
});

/** The fault that a refusal names, at its field. */
const faultAt = (refused: Trouble | null, fields: readonly Field[]): Record<string, string> => {
  const at = refused && fieldIn(refused.field, fields);
  return at ? { [at]: refused.message } : {};
};

/**
 * An item that is being edited. What is typed stands on top of the version that is known, and stays in this tab. When the
 * server says that there is a newer one, that one is put below: nothing typed is lost, nothing of others overwritten unseen.
 */
export function useItem(key: ItemKey, first: Item, fields: readonly Field[]) {
  const uid = useMember()?.uid;
  const { queryClient, transport } = useData();
  const [kept] = useState(() => draftOf(key).read(uid));
  const [item, setItem] = useState(first);
  const [edits, setEdits] = useState<Edits>(kept?.edits ?? {});
  const [conflict, setConflict] = useState<Conflict | null>(
    kept && kept.version !== first.version ? conflictWith(kept.edits, first) : null,
  );
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const update = useWrite(UPDATE);
  const change = useWrite(CHANGE);
  const restore = useWrite(RESTORE_REVISION);
  const { refetch } = useQuery(EditorService.method.getItem, { key }, { enabled: false });

  const dirty = Object.keys(edits).length > 0;
  useEffect(() => {
    if (dirty) draftOf(key).keep({ version: item.version, edits }, uid);
    else draftOf(key).drop();
    // The key is the same for as long as the item is shown.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [dirty, edits, item.version, uid]);

  const show = (next: Item) => {
    setItem(next);
    const schema = EditorService.method.getItem;
    const queryKey = createConnectQueryKey({ schema, transport, input: { key }, cardinality: "finite" });
    void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  };
  /** Puts somebody else's newer version below what is typed. */
  const meet = async () => {
    const { data } = await refetch();
    if (!data?.item) return;
    show(data.item);
    setConflict(conflictWith(edits, data.item));
  };
  const refuse = async (refused: Trouble) => {
    if (refused.reason === "VERSION_MISMATCH") return meet();
    const found = faultAt(refused, fields);
    setFaults(found);
    if (Object.keys(found).length === 0) setTrouble(refused);
  };
  const begin = () => {
    setTrouble(null);
    setFaults({});
  };
  const done = (next: Item, words: string) => {
    setConflict(null);
    show(next);
    toast(words);
  };

  return {
    item,
    edits,
    conflict,
    faults,
    trouble,
    dirty,
    pending: update.pending || change.pending || restore.pending,
    change: (field: Field, now: Shown) => {
      setFaults((before) => without(before, field.id));
      setEdits((before) => edited(before, item, field, now));
    },
    /** Takes the newer version's word for a field. */
    takeTheirs: (fieldId: string) => {
      setEdits((before) => without(before, fieldId));
      setConflict((now) => now && { ...now, fields: now.fields.filter((id) => id !== fieldId) });
    },
    drop: () => {
      begin();
      setEdits({});
      setConflict(null);
      toast(copy.dropped, "info");
    },
    save: async () => {
      begin();
      const found = faultsOf(fields, item, edits);
      setFaults(found);
      if (Object.keys(found).length > 0) return;
      const sent = edits;
      const { answer, trouble: refused } = await update.send({
        key,
        version: item.version,
        fields: fieldsOf(fields, item, sent),
      });
      if (refused) return refuse(refused);
      // What was typed while it was being saved stays.
      setEdits((now) => Object.fromEntries(Object.entries(now).filter(([id, edit]) => sent[id] !== edit)));
      if (answer.item) done(answer.item, copy.saved);
    },
    /** Publishes, takes back, archives or deletes; `onGone` hears that it was deleted. */
    step: async (step: Step, words: string, onGone: () => void) => {
      begin();
      const { answer, trouble: refused } = await change.send({ key, version: item.version, step });
      if (refused) return refuse(refused);
      if (answer.item) return done(answer.item, words);
      toast(words);
      onGone();
    },
    restore: async (revision: number) => {
      begin();
      const { answer, trouble: refused } = await restore.send({ key, version: item.version, revision });
      if (refused) return refuse(refused);
      if (answer.item) done(answer.item, copy.restored(revision));
    },
  };
}

export type OpenItem = ReturnType<typeof useItem>;
