import { Stage } from "@/gen/serein/web/v1/generator_pb";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { formatDate } from "@/lib/format";

/** The list's rules, without a page. */

/** What a plate says about its meditation's state. */
export type PlateState = "ready" | "making" | "failed" | "cancelled" | "refunded";

export function plateState(stage: Stage): PlateState {
  if (stage === Stage.READY) return "ready";
  if (stage === Stage.FAILED) return "failed";
  if (stage === Stage.REFUNDED) return "refunded";
  return stage === Stage.CANCELLED ? "cancelled" : "making";
}

const DAY_MS = 86_400_000;
const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const withYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** "Today", "Yesterday", "Tuesday" within a week, then "12 November"; the member's own calendar. */
export function madeOn(ms: number, nowMs: number): string {
  const days = Math.round((midnight(nowMs) - midnight(ms)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return weekday.format(ms);
  const sameYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return sameYear ? formatDate(ms) : withYear.format(ms);
}

/** "6 min" */
export const minutes = (ms: number): string => `${Math.max(1, Math.round(ms / 60_000))} min`;

/** "Immersive, Rain" or "Voice only". */
export function soundOf(m: Meditation): string {
  if (!m.immersive) return "Voice only";
  return m.track ? `Immersive, ${m.track.name}` : "Immersive";
}
