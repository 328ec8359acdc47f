import { Stage } from "@/gen/serein/web/v1/generator_pb";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import type { Left } from "@/lib/countdown";
import { formatDate, formatUnit } from "@/lib/format";

/** The list's rules, without a page. */

/** What a plate says about its meditation's state. */
export type CardState = "ready" | "making" | "failed" | "cancelled" | "refunded" | "deleted";

export function cardState(stage: Stage): CardState {
  if (stage === Stage.READY) return "ready";
  if (stage === Stage.FAILED) return "failed";
  if (stage === Stage.REFUNDED) return "refunded";
  if (stage === Stage.DELETED) return "deleted";
  return stage === Stage.CANCELLED ? "cancelled" : "making";
}

/** How long what is marked deleted can be recovered, in ms; the server's rule, for the ring alone. */
export const KEPT_MS = 1_209_600_000;

/** What stands in the ring of one that is marked deleted: its two largest units, "9 days" and "4 hours left". */
export function leftWords({ days, hours, minutes, seconds }: Left): readonly [string, string] {
  if (days > 0) return [formatUnit(days, "day"), `${formatUnit(hours, "hour")} left`];
  if (hours > 0) return [formatUnit(hours, "hour"), `${formatUnit(minutes, "minute")} left`];
  if (minutes > 0) return [`${minutes}:${String(seconds).padStart(2, "0")}`, "minutes left"];
  return [String(seconds), seconds === 1 ? "second left" : "seconds left"];
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
