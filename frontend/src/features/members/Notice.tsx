import type { ReactNode } from "react";
import { classes } from "@/ui/classes";
import { Panel } from "@/ui/Panel";
import { ErrorNote } from "@/ui/States";
import css from "./Notice.module.css";

interface NoticeProps {
  title: string;
  text: string;
  /** What is left of it, at the right. */
  left?: ReactNode;
  /** What can be done, and a word beside it. */
  action?: ReactNode;
  aside?: string;
  /** Why that did not go. */
  trouble?: string;
  /** On the page's own ground: nothing presses. */
  plain?: boolean;
}

/** What wants to be known about the plan before all else: a brass panel above the credits. */
export function Notice({ title, text, left, action, aside, trouble, plain }: NoticeProps) {
  return (
    <Panel title={title} className={classes(css.notice, plain && css.plain)}>
      <p className={classes("small muted", css.text)}>{text}</p>
      {left ? <div className={css.left}>{left}</div> : null}
      {action ? (
        <div className={classes("small muted", css.next)}>
          {action}
          {aside ? <span>{aside}</span> : null}
        </div>
      ) : null}
      {trouble ? (
        <div className={css.trouble}>
          <ErrorNote message={trouble} />
        </div>
      ) : null}
    </Panel>
  );
}
