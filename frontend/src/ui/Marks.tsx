import { classes } from "./classes";

/** The ring on water, three times: as the sign in the bar, as the large motif and as the loader. */

/** 30 px, beside the name. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="14.2" />
      <circle cx="16" cy="19" r="9.4" />
      <circle className="drop" cx="16" cy="22.3" r="4.3" />
    </svg>
  );
}

/** The large figure: circles that share their lowest point, with a drop inside. */
export function Motif({ className }: { className?: string }) {
  return (
    <svg className={classes("motif", className)} viewBox="0 0 96 96" aria-hidden="true">
      <circle className="l3" cx="48" cy="48" r="44" />
      <circle className="l2" cx="48" cy="55" r="32" />
      <circle className="l1" cx="48" cy="62" r="20" />
      <circle className="drop" cx="48" cy="69" r="8" />
    </svg>
  );
}

/** Shown from 400 ms on, so that quick answers show nothing at all. */
export function Loader({ label }: { label: string }) {
  return (
    <div className="loader" role="status">
      <Motif />
      <span className="small">{label}</span>
    </div>
  );
}
