import type { ReactNode } from "react";
import css from "./Badge.module.css";

/** A word about a thing, beside it. */
export function Badge({ children }: { children: ReactNode }) {
  return <span className={css.badge}>{children}</span>;
}
