/** Words for the part of the day that an hour of the member's own (0 to 23) belongs to. */

/** A short night is still evening. */
export function greeting(hour: number): string {
  if (hour >= 5 && hour < 12) return "Good morning";
  if (hour >= 12 && hour < 18) return "Good afternoon";
  return "Good evening";
}

/** Above what is suggested for the hour. The gateway divides the day alike (internal/web/suggestion.go). */
export function forThisHour(hour: number): string {
  if (hour < 5 || hour >= 22) return "For tonight";
  if (hour < 11) return "For this morning";
  if (hour < 14) return "For the middle of the day";
  return hour < 18 ? "For this afternoon" : "For this evening";
}
