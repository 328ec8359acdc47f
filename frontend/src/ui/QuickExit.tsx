import type { MouseEvent } from "react";
import { useId } from "react";
import { leave as copy } from "@/copy/leave";
import { leaveAtOnce, NEUTRAL_PAGE } from "@/lib/leave";
import css from "./QuickExit.module.css";

/** The quick way out beside helplines, for somebody who must not be seen here. Without the app's code it is a plain link. */
export function QuickExit() {
  const aboutId = useId();
  const leave = (event: MouseEvent) => {
    event.preventDefault();
    leaveAtOnce();
  };
  return (
    <p className={css.leave}>
      <a href={NEUTRAL_PAGE} rel="noreferrer" aria-describedby={aboutId} onClick={leave}>
        {copy.label}
      </a>
      <span id={aboutId} className={css.about}>
        {copy.about}
      </span>
    </p>
  );
}
