import type { ReactNode } from "react";
import { useId } from "react";
import { generator as copy } from "@/copy/generator";
import { IconButton } from "@/ui/Button";

/** "Learn more": a native popover beside its question. */
export function Tip({ label, title, children }: { label: string; title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <button type="button" className="linkish" popoverTarget={id} aria-label={label}>
        {copy.q.learnMore}
      </button>
      <div className="tip gen-tip" id={id} popover="auto">
        <IconButton
          icon="close"
          label="Close"
          popoverTarget={id}
          popoverTargetAction="hide"
          className="gen-tip__close"
        />
        <h2>{title}</h2>
        {children}
      </div>
    </>
  );
}
