import type { ReactNode } from "react";
import { classes } from "./classes";
import css from "./Badge.module.css";

/** A word about a thing, beside it. */
export function Badge({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <span className={classes(css.badge, className)}>{children}</span>;
}
