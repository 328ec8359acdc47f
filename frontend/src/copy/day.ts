/** Words for the part of the day that an hour of the member's own (0 to 23) belongs to. */

interface Part {
  /** The hour before which it ends. */
  until: number;
  greeting: string;
  suggestion: string;
}

/** A short night is still evening. */
const NIGHT: Part = { until: 24, greeting: "Good evening", suggestion: "For tonight" };

/** The gateway divides the day alike (internal/web/suggestion.go). */
const DAY: readonly Part[] = [
  { ...NIGHT, until: 5 },
  { until: 12, greeting: "Good morning", suggestion: "For this morning" },
  { until: 14, greeting: "Good afternoon", suggestion: "For the middle of the day" },
  { until: 18, greeting: "Good afternoon", suggestion: "For this afternoon" },
  { until: 22, greeting: "Good evening", suggestion: "For this evening" },
];

const partOf = (hour: number): Part => DAY.find(({ until }) => hour < until) ?? NIGHT;

export const greeting = (hour: number): string => partOf(hour).greeting;

/** Above what is suggested for the hour. */
export const forThisHour = (hour: number): string => partOf(hour).suggestion;
