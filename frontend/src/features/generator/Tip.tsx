import type { ReactNode } from "react";
import { useId } from "react";
import { generator as copy } from "@/copy/generator";
import { IconButton } from "@/ui/Button";
import { TextButton } from "@/ui/TextButton";
import css from "./Tip.module.css";

/** "Learn more": a native popover beside its question. */
export function Tip({ label, title, children }: { label: string; title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <TextButton className={css.open} popoverTarget={id} aria-label={label}>
        {copy.q.learnMore}
      </TextButton>
      <div className={css.tip} id={id} popover="auto">
        <IconButton
          icon="close"
          label="Close"
          popoverTarget={id}
          popoverTargetAction="hide"
          className={css.close}
        />
        <h2>{title}</h2>
        {children}
      </div>
    </>
  );
}
