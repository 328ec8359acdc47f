/** Numbers, dates and lengths for people, by Intl in British English. */
const LOCALE = "en-GB";

const number = new Intl.NumberFormat(LOCALE);
const day = new Intl.DateTimeFormat(LOCALE, { weekday: "long", day: "numeric", month: "long" });
const date = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long" });
const versionDate = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeZone: "UTC" });
const time = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });
const unit = (name: string) =>
  new Intl.NumberFormat(LOCALE, { style: "unit", unit: name, unitDisplay: "long", maximumFractionDigits: 0 });

export const formatNumber = (v: number): string => number.format(v);
/** "Saturday 21 November" */
export const formatDay = (ms: number): string => day.format(ms).replace(",", "");
/** "21 November" */
export const formatDate = (ms: number): string => date.format(ms);
/** "21 November 2026", from a version of a text (YYYY-MM-DD) */
export const formatVersion = (version: string): string =>
  versionDate.format(new Date(`${version}T00:00:00Z`));
/** "19:04" */
export const formatTime = (ms: number): string => time.format(ms);

/** "8:05" from milliseconds; hours only where there are any. */
export function formatClock(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const two = (v: number) => String(v).padStart(2, "0");
  const h = Math.floor(all / 3600);
  const m = Math.floor((all % 3600) / 60);
  return h ? `${h}:${two(m)}:${two(all % 60)}` : `${m}:${two(all % 60)}`;
}

/** "1 day", "8 minutes": a number with its unit. */
export const formatUnit = (v: number, name: "day" | "hour" | "minute" | "second"): string =>
  unit(name).format(v);

/** "8 minutes 5 seconds", for aria-valuetext and other spoken places. */
export function formatSpoken(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(all / 60);
  const seconds = formatUnit(all % 60, "second");
  return minutes ? `${formatUnit(minutes, "minute")} ${seconds}` : seconds;
}

/** The calendar day where the member is, as YYYY-MM-DD. */
export function localDate(ms: number): string {
  const d = new Date(ms);
  const two = (v: number) => String(v).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}
