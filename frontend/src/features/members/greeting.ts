import { members } from "@/copy/members";

/** A greeting for the member's own hour (0 to 23). */
export function greeting(hour: number): string {
  if (hour >= 5 && hour < 12) return members.greeting.morning;
  if (hour >= 12 && hour < 18) return members.greeting.afternoon;
  return members.greeting.evening;
}
