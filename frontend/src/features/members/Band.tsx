import type { ReactNode } from "react";
import { useId } from "react";
import { classes } from "@/ui/classes";
import css from "./Band.module.css";

interface BandProps {
  /** The place of it in the page's address. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the Members Area over the whole width: rows about one thing each. */
export function Band({ id, title, children }: BandProps) {
  return (
    <section className={css.band} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface BandRowProps {
  title: string;
  text: string;
  /** What it does cannot be taken back for ever. */
  danger?: boolean;
  children: ReactNode;
}

/** What it is about at the left, what can be done at the right. */
export function BandRow({ title, text, danger, children }: BandRowProps) {
  const id = useId();
  return (
    <section className={classes(css.row, danger && css.danger)} aria-labelledby={id}>
      <div>
        <h3 id={id}>{title}</h3>
        <p>{text}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

interface FactProps {
  /** A picture of it; the label says the same. */
  icon?: ReactNode;
  label: string;
  text: string;
  /** The one thing that can be done about it. */
  action?: ReactNode;
}

/** Something that is so, and what can be done about it. */
export function Fact({ icon, label, text, action }: FactProps) {
  return (
    <div className={classes(css.fact, icon !== undefined && css.pictured)}>
      {icon}
      <div>
        <b>{label}</b>
        <small>{text}</small>
      </div>
      {action}
    </div>
  );
}
