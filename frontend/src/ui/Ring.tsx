import { classes } from "./classes";
import css from "./Ring.module.css";

interface RingProps {
  /** Diameter of the drawing in its own units; size it with CSS. */
  size: number;
  /** Share that is done, 0 to 1. */
  share: number;
  /** Share that is loaded or ready, 0 to 1: a thinner arc below the other. */
  ready?: number;
  /** Widths of track and arc. */
  track?: number;
  arc?: number;
  className?: string | undefined;
}

/** A circle that fills: a picture only. Beside it stands text, or a native range, that says the same. */
export function Ring({ size, share, ready, track = 2, arc = 6, className }: RingProps) {
  const c = size / 2;
  const r = c - Math.max(arc, track) / 2;
  const part = (v: number) => `${Math.min(1, Math.max(0, v)) * 100} 100`;
  return (
    <svg className={classes(css.ring, className)} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <circle className={css.track} strokeWidth={track} cx={c} cy={c} r={r} />
      {ready === undefined ? null : (
        <circle className={css.ready} cx={c} cy={c} r={r} pathLength="100" strokeDasharray={part(ready)} />
      )}
      {share > 0 ? (
        <circle
          className={css.arc}
          strokeWidth={arc}
          cx={c}
          cy={c}
          r={r}
          pathLength="100"
          strokeDasharray={part(share)}
        />
      ) : null}
    </svg>
  );
}
