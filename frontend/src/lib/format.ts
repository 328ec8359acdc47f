/**
 * Numbers, dates and lengths for people, in British English. The words are written here: this is the app's one language,
 * and a phone takes a fifth of a second until Intl has its own. The tests hold them against Intl's.
 */
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const two = (v: number): string => String(v).padStart(2, "0");

/** A whole number: "12,040". */
export const formatNumber = (v: number): string => String(v).replaceAll(/\B(?=(\d{3})+$)/g, ",");
/** "1 article", "1,204 articles". The gateway says the same (internal/page/twins.go). */
export const formatCount = (n: number, one: string, many: string): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`;
/** "Saturday 21 November" */
export const formatDay = (ms: number): string => [WEEKDAYS[new Date(ms).getDay()], formatDate(ms)].join(" ");
/** "21 November" */
export const formatDate = (ms: number): string =>
  [new Date(ms).getDate(), MONTHS[new Date(ms).getMonth()]].join(" ");
/** "21 November 2026", from a version of a text (YYYY-MM-DD); what is no date stands as it is, as in the gateway. */
export function formatVersion(version: string): string {
  const from = new Date(`${version}T00:00:00Z`);
  const ms = from.getTime();
  return Number.isNaN(ms) ? version : formatCalendarDate(ms);
}
/** "19:04" */
export const formatTime = (ms: number): string =>
  [new Date(ms).getHours(), new Date(ms).getMinutes()].map(two).join(":");

/** "21 November 2026" */
export const formatLongDate = (ms: number): string => `${formatDate(ms)} ${new Date(ms).getFullYear()}`;

/** How fast people read. The gateway reckons with the same (internal/page/twins.go). */
const WORDS_A_MINUTE = 200;
/** Whole minutes to read so many words, at least 1. */
export const minutesOf = (words: number): number => Math.max(1, Math.round(words / WORDS_A_MINUTE));

/** Whole minutes to hear so many seconds, at least 1. */
export const listeningOf = (seconds: number): number => Math.max(1, Math.round(seconds / 60));

/** "3 November 2026" of a day that is the same for everybody, such as that of an article. The gateway says the same. */
export function formatCalendarDate(ms: number): string {
  const day = new Date(ms);
  return [day.getUTCDate(), MONTHS[day.getUTCMonth()], day.getUTCFullYear()].join(" ");
}
/** The same as YYYY-MM-DD. */
export const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;
const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/** "today at 16:40", "tomorrow at 9:05", "yesterday at 11:05", else "18 November at 20:00"; where the reader is. */
export function dayAndTime(ms: number, nowMs: number): string {
  const days = Math.round((midnight(ms) - midnight(nowMs)) / DAY_MS);
  const near = { "-1": "yesterday", "0": "today", "1": "tomorrow" }[String(days)];
  return `${near ?? formatDate(ms)} at ${formatTime(ms)}`;
}

/** "8:05" from milliseconds; hours only where there are any. */
export function formatClock(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const h = Math.floor(all / 3600);
  const m = Math.floor((all % 3600) / 60);
  return h ? `${h}:${two(m)}:${two(all % 60)}` : `${m}:${two(all % 60)}`;
}

/** "1 day", "8 minutes": a number with its unit. */
export const formatUnit = (v: number, name: "day" | "hour" | "minute" | "second"): string =>
  formatCount(Math.round(v), name, `${name}s`);

/** "8 minutes 5 seconds", for aria-valuetext and other spoken places; the same second as in formatClock. */
export function formatSpoken(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(all / 60);
  const seconds = formatUnit(all % 60, "second");
  return minutes ? `${formatUnit(minutes, "minute")} ${seconds}` : seconds;
}

/** The calendar day where the member is, as YYYY-MM-DD. */
export function localDate(ms: number): string {
  const d = new Date(ms);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}
