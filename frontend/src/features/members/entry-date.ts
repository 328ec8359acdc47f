import { formatDay, formatTime } from "@/lib/format";

/** "Today 16:40", else "Fri 20 Nov", with the year where it is another one: short, for a list. */
export function entryDate(ms: number, nowMs: number): string {
  const at = new Date(ms);
  const now = new Date(nowMs);
  if (at.toDateString() === now.toDateString()) return `Today ${formatTime(ms)}`;
  const [weekday = "", date = "", month = ""] = formatDay(ms).split(" ");
  const year = at.getFullYear() === now.getFullYear() ? "" : String(at.getFullYear());
  return [weekday.slice(0, 3), date, month.slice(0, 3), year].filter(Boolean).join(" ");
}
