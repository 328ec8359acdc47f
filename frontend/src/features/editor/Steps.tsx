import { useState } from "react";
import { editor as copy } from "@/copy/editor";
import { Step } from "@/gen/serein/web/v1/editor_pb";
import { Button } from "@/ui/Button";
import { Dialog, DialogActions } from "@/ui/Dialog";
import { stateOf } from "./fields";
import type { ItemState } from "./fields";
import css from "./Steps.module.css";
import type { OpenItem } from "./useItem";

type StepName = keyof typeof copy.steps;

const STEPS: Record<StepName, Step> = {
  publish: Step.PUBLISH,
  unpublish: Step.UNPUBLISH,
  archive: Step.ARCHIVE,
  unarchive: Step.UNARCHIVE,
  delete: Step.DELETE,
};

/** What can be done with an item as it stands; the first is the likeliest. */
const OFFERED: Record<ItemState, readonly StepName[]> = {
  draft: ["publish", "archive", "delete"],
  changed: ["publish", "unpublish"],
  published: ["unpublish"],
  archived: ["unarchive", "delete"],
};

interface ConfirmProps {
  title: string;
  text: string;
  act: string;
  danger?: boolean;
  onAct: () => void;
  onClose: () => void;
}

/** Asks before what others will see. */
export function Confirm({ title, text, act, danger, onAct, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <DialogActions>
        <Button onClick={onClose}>{copy.cancel}</Button>
        <Button look={danger ? "danger" : "primary"} data-first onClick={onAct}>
          {act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Publishing, taking back, archiving and deleting, each after a question. */
export function Steps({ open, onGone }: { open: OpenItem; onGone: () => void }) {
  const [asked, ask] = useState<StepName | null>(null);
  const act = () => {
    if (!asked) return;
    ask(null);
    void open.step(STEPS[asked], copy.steps[asked].done, onGone);
  };
  return (
    <div className={css.steps}>
      {OFFERED[stateOf(open.item)].map((name, i) => (
        <Button
          key={name}
          small
          look={name === "delete" ? "danger" : i === 0 ? "tint" : "line"}
          pending={open.pending}
          unavailable={open.dirty}
          aria-describedby={open.dirty ? "save-first" : undefined}
          onClick={() => ask(name)}
        >
          {copy.steps[name].name}
        </Button>
      ))}
      {open.dirty ? (
        <p className="caption quiet" id="save-first">
          {copy.saveFirst}
        </p>
      ) : null}
      {asked ? (
        <Confirm
          title={copy.steps[asked].title}
          text={copy.steps[asked].text}
          act={copy.steps[asked].name}
          danger={asked === "delete"}
          onAct={act}
          onClose={() => ask(null)}
        />
      ) : null}
    </div>
  );
}
