import { classes } from "./classes";
import css from "./Emblem.module.css";

/** The rings of a plan: decoration. A screen hides one or two of them by --second and --third, and moves it by --shift. */
export function Emblem({ className }: { className?: string | undefined }) {
  return (
    <svg className={classes(css.emblem, className)} viewBox="0 0 56 56" aria-hidden="true">
      <circle className={css.third} cx="28" cy="28" r="26" />
      <circle className={css.second} cx="28" cy="34" r="20" />
      <circle cx="28" cy="40" r="14" />
      <circle className={css.drop} cx="28" cy="47.5" r="6" />
    </svg>
  );
}
