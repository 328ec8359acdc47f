import { quotes } from "@/copy/quotes";

/** The day of the year of a moment in the member's own calendar, 1 to 366. */
export function dayOfYear(ms: number): number {
  const d = new Date(ms);
  // Counted between calendar days in UTC, so that a clock change neither adds nor loses a day.
  return (
    (Date.UTC(d.getFullYear(), d.getMonth(), d.getDate()) - Date.UTC(d.getFullYear(), 0, 0)) / 86_400_000
  );
}

/** The same line all day long, another one tomorrow. */
export const quoteOfTheDay = (ms: number): string => quotes[dayOfYear(ms) % quotes.length] ?? quotes[0];
