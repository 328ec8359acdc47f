import type { Credits } from "@/lib/boot";
import css from "./CreditDots.module.css";
import { classes } from "./classes";

/** Above this many a row of beads says less than its number. */
const MOST = 24;

/** One bead a credit: full, held (dashed), spent (empty, up to `of`). Decoration; the number stands beside it. */
export function CreditDots({
  credits,
  of = 0,
  className,
}: {
  credits: Credits;
  of?: number;
  className?: string | undefined;
}) {
  const full = credits.plan + credits.topUp;
  const total = Math.max(of, full + credits.held);
  if (total > MOST) return null;
  const kind = (i: number) => (i < full ? css.full : i < full + credits.held ? css.held : undefined);
  return (
    <div className={classes(css.beads, className)} aria-hidden="true">
      {Array.from({ length: total }, (_, i) => (
        <i key={i} className={classes(css.bead, kind(i))} />
      ))}
    </div>
  );
}
