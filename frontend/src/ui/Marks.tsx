import { shell } from "@/copy/shell";
import { classes } from "./classes";
import css from "./Marks.module.css";

/** The ring on water: as the sign in the bar, as the large motif and as the loader. */

function Mark() {
  return (
    <svg className={css.mark} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="14.2" />
      <circle cx="16" cy="19" r="9.4" />
      <circle className={css.drop} cx="16" cy="22.3" r="4.3" />
    </svg>
  );
}

/** The sign and the name. `className` is for its place and colours. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <span className={classes(css.logo, className)}>
      <Mark />
      <span>{shell.name}</span>
    </span>
  );
}

/** The large figure: circles that share their lowest point, with a drop inside. Its owner gives it a size. */
export function Motif({ className }: { className?: string | undefined }) {
  return (
    <svg className={classes(css.motif, className)} viewBox="0 0 96 96" aria-hidden="true">
      <circle cx="48" cy="48" r="44" />
      <circle cx="48" cy="55" r="32" />
      <circle cx="48" cy="62" r="20" />
      <circle className={css.drop} cx="48" cy="69" r="8" />
    </svg>
  );
}

/** Shown from 400 ms on, so that quick answers show nothing at all. */
export function Loader({ label }: { label: string }) {
  return (
    <div className={css.loader} role="status">
      <Motif className={css.turning} />
      <span className="small">{label}</span>
    </div>
  );
}
