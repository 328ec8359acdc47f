import { useSyncExternalStore } from "react";
import { localDate } from "@/lib/format";

const follow = (listener: () => void) => {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
};

/** "2026-11-30 8" */
const present = (): string => {
  const ms = Date.now();
  return `${localDate(ms)} ${new Date(ms).getHours()}`;
};

/** Day and hour on the member's own clock. They move on when the page is drawn or looked at again, never under the member's eyes. */
export function useHour(): { localDate: string; hour: number } {
  const [day = "", hour] = useSyncExternalStore(follow, present).split(" ");
  return { localDate: day, hour: Number(hour) };
}
