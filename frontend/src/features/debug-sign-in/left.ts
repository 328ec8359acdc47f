import { timeLeft } from "@/lib/countdown";
import { formatUnit } from "@/lib/format";

/** "9 min 12 s", "3 h 5 min", "13 days": the two largest units of what is left; "" where nothing is. Both in ms since 1970. */
export function leftOf(endsAt: number, nowMs: number): string {
  const { days, hours, minutes, seconds, over } = timeLeft(endsAt, nowMs);
  if (over) return "";
  if (days) return formatUnit(days, "day");
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${seconds} s` : `${seconds} s`;
}
