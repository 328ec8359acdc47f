/** Calendar files as RFC 5545 has them. */

/** The days of the week as the standard names them, Monday first. */
export const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Day = (typeof DAYS)[number];

/** A date on the member's own clock, wherever they are: it names no time zone. */
export interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** An event that comes back every week. */
export interface WeeklyEvent {
  /** The same for the same reminder: a calendar that knows it puts the new one in the old one's place. */
  uid: string;
  /** Grows with each version of the event; a whole number below 2^31. */
  sequence: number;
  /** ms since 1970: when the file was made. */
  madeAt: number;
  start: LocalTime;
  minutes: number;
  days: readonly Day[];
  title: string;
  description: string;
  /** An absolute address; "" for none. */
  url: string;
}

const two = (n: number): string => String(n).padStart(2, "0");

/** "20261123T073000": a time without a zone, which each calendar takes by its own clock (RFC 5545, 3.3.5, form 1). */
const localTime = ({ year, month, day, hour, minute }: LocalTime): string =>
  `${String(year).padStart(4, "0")}${two(month)}${two(day)}T${two(hour)}${two(minute)}00`;

/** "20261123T130000Z" */
const utcTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** A text as a value: what would end it or begin another is escaped (3.3.11), and what no text may have is left out. */
export const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, "")
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n?|\n/g, "\\n");

/** The most octets that a line has without its end (3.1). */
const LINE_OCTETS = 75;

/** A line in pieces of at most 75 octets; the later ones begin with a space. No character is cut in two. */
export function folded(line: string): string {
  const encoder = new TextEncoder();
  const pieces: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const more = encoder.encode(character).length;
    if (octets + more > LINE_OCTETS) {
      pieces.push(piece);
      piece = " ";
      octets = 1;
    }
    piece += character;
    octets += more;
  }
  return [...pieces, piece].join("\r\n");
}

/** The lines of one event, with an alarm as it begins. It takes nobody's time: the calendar shows its owner as free. */
const eventLines = (event: WeeklyEvent): string[] => [
  "BEGIN:VEVENT",
  `UID:${event.uid}`,
  `DTSTAMP:${utcTime(event.madeAt)}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTART:${localTime(event.start)}`,
  `DURATION:PT${event.minutes}M`,
  `RRULE:FREQ=WEEKLY;BYDAY=${DAYS.filter((day) => event.days.includes(day)).join(",")}`,
  `SUMMARY:${escaped(event.title)}`,
  `DESCRIPTION:${escaped(event.description)}`,
  ...(event.url ? [`URL:${event.url}`] : []),
  "TRANSP:TRANSPARENT",
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  "TRIGGER:PT0S",
  `DESCRIPTION:${escaped(event.title)}`,
  "END:VALARM",
  "END:VEVENT",
];

/** The file of these events. */
export function calendar(events: readonly WeeklyEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Serein//Reminders//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}
