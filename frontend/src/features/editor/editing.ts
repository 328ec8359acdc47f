import type { UserError } from "@/data/errors";
import type { Field, Item } from "@/gen/serein/web/v1/editor_pb";
import type { Edits, Shown } from "./fields";
import { collisions, edited, fieldIn, without } from "./fields";

/** Somebody else's newer version, and the fields that both have changed. */
export interface Conflict {
  version: number;
  fields: readonly string[];
}

/** An item that is being edited, and what is typed on top of it. */
export interface Editing {
  item: Item;
  edits: Edits;
  conflict: Conflict | null;
  /** What is wrong with a field, by its id. */
  faults: Record<string, string>;
  /** A refusal that names no field. */
  trouble: UserError | null;
}

export type EditingChange =
  | { type: "typed"; field: Field; now: Shown }
  /** The newer version's word is taken for a field. */
  | { type: "theirsTaken"; fieldId: string }
  | { type: "dropped" }
  /** Something is being sent: what was said of the last attempt goes. */
  | { type: "begun" }
  | { type: "faulty"; faults: Record<string, string> }
  | { type: "refused"; refused: UserError; fields: readonly Field[] }
  /** Somebody else's newer version is put below what is typed. */
  | { type: "met"; newer: Item }
  /** The server has taken these edits; what was typed while they were being saved stays. */
  | { type: "saved"; sent: Edits }
  /** The item as it is after what was sent. */
  | { type: "shown"; item: Item };

const conflictWith = (edits: Edits, newer: Item): Conflict => ({
  version: newer.version,
  fields: collisions(edits, newer),
});

/** How editing begins: with the draft of an earlier visit, where there is one. */
export const begunWith = (item: Item, draft: { version: number; edits: Edits } | null): Editing => ({
  item,
  edits: draft?.edits ?? {},
  conflict: draft && draft.version !== item.version ? conflictWith(draft.edits, item) : null,
  faults: {},
  trouble: null,
});

/** A refusal stands at the field that it names, or else above the form. */
function refusedBy(now: Editing, refused: UserError, fields: readonly Field[]): Editing {
  const at = fieldIn(refused.field, fields);
  return at ? { ...now, faults: { [at]: refused.message } } : { ...now, faults: {}, trouble: refused };
}

function withTheirs(now: Editing, fieldId: string): Editing {
  const { conflict } = now;
  const fields = conflict?.fields.filter((id) => id !== fieldId) ?? [];
  return { ...now, edits: without(now.edits, fieldId), conflict: conflict && { ...conflict, fields } };
}

/** The editing after a change. */
export function changed(now: Editing, change: EditingChange): Editing {
  switch (change.type) {
    case "typed": {
      const faults = without(now.faults, change.field.id);
      return { ...now, faults, edits: edited(now.edits, now.item, change.field, change.now) };
    }
    case "theirsTaken":
      return withTheirs(now, change.fieldId);
    case "dropped":
      return { item: now.item, edits: {}, conflict: null, faults: {}, trouble: null };
    case "begun":
      return { ...now, faults: {}, trouble: null };
    case "faulty":
      return { ...now, faults: change.faults };
    case "refused":
      return refusedBy(now, change.refused, change.fields);
    case "met":
      return { ...now, item: change.newer, conflict: conflictWith(now.edits, change.newer) };
    case "saved": {
      const left = Object.entries(now.edits).filter(([id, edit]) => change.sent[id] !== edit);
      return { ...now, edits: Object.fromEntries(left) };
    }
    case "shown":
      return { ...now, item: change.item, conflict: null };
  }
}
