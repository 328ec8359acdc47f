import { useEffect, useRef } from "react";
import { Note } from "@/ui/States";
import css from "./Outcome.module.css";

interface OutcomeProps {
  /** What was done, or ""; another word each time. */
  text: string;
  /** What had the focus went with it: it comes here. */
  focus?: boolean;
}

/** What became of a change, beside what was changed. */
export function Outcome({ text, focus = false }: OutcomeProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text && focus) ref.current?.focus();
  }, [text, focus]);
  return (
    <div ref={ref} tabIndex={-1} role="status" className={css.outcome}>
      {text ? <Note icon="tick">{text}</Note> : null}
    </div>
  );
}
