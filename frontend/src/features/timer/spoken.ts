import { timer as copy } from "@/copy/timer";
import { breathing, momentOf } from "./breath";
import type { Plan } from "./plan";

/** What a screen reader says by itself: little, and never each second. */

const MINUTE_MS = 60_000;
/** Minutes before the end at which the time left is said. */
const SAID_AT = [10, 5, 1];
/** How long a sentence stays to be said, in ms. */
const STAYS_MS = 10_000;

/** The time left, once at each of a few marks. A sitting that is no longer than a mark begins without it. */
function leftAt({ beginsMs, endsMs }: Plan, ms: number): string {
  const mark = SAID_AT.find((minutes) => {
    const at = endsMs - minutes * MINUTE_MS;
    return at > beginsMs && ms >= at && ms < at + STAYS_MS;
  });
  return mark === undefined ? "" : copy.leftInMinutes(mark);
}

/** The sentence of that moment; "" for none. With `parts` the parts of each breath are said as well. */
export function spokenAt(plan: Plan, ms: number, parts: boolean): string {
  const { of, beginsMs, endsMs } = plan;
  if (ms >= endsMs) return "";
  if (of.kind === "breath" && parts && ms >= beginsMs)
    return copy.parts[momentOf(breathing(of.settings), ms - beginsMs).part];
  if (ms < Math.max(beginsMs, STAYS_MS)) return copy.began[of.kind];
  return of.kind === "timer" && of.settings.openEnded ? "" : leftAt(plan, ms);
}
