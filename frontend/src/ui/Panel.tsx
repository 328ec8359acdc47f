import type { ReactNode } from "react";
import { useId } from "react";
import { classes } from "./classes";
import css from "./Panel.module.css";

interface PanelProps {
  title: string;
  /** Right of the title: one action about all of it. */
  action?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a page on its own ground, named by its title. */
export function Panel({ title, action, children, className }: PanelProps) {
  const id = useId();
  return (
    <section className={classes(css.panel, className)} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
