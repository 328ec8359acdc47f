import type { ReactNode } from "react";
import { classes } from "./classes";
import css from "./PageHead.module.css";

interface PageHeadProps {
  title: ReactNode;
  /** One or two sentences under the title. */
  lead?: ReactNode;
  /** Under or beside them (a search field), as `className` lays it out. */
  children?: ReactNode;
  className?: string | undefined;
}

/** The head of a page: its h1 and what one finds there. */
export function PageHead({ title, lead, children, className }: PageHeadProps) {
  return (
    <header className={classes(css.head, className)}>
      <div className={css.words}>
        <h1>{title}</h1>
        {lead ? <p className="lead">{lead}</p> : null}
      </div>
      {children}
    </header>
  );
}
