import type { Credits } from "@/lib/boot";

/** Above this many a row of beads says less than its number. */
const MOST = 24;

/** One bead a credit: full, held (dashed), spent (empty, up to `of`). Decoration; the number stands beside it. */
export function Beads({ credits, of = 0 }: { credits: Credits; of?: number }) {
  const full = credits.plan + credits.topUp;
  const total = Math.max(of, full + credits.held);
  if (total > MOST) return null;
  const kind = (i: number) => (i < full ? "on" : i < full + credits.held ? "hold" : undefined);
  return (
    <div className="beads" aria-hidden="true">
      {Array.from({ length: total }, (_, i) => (
        <i key={i} className={kind(i)} />
      ))}
    </div>
  );
}
