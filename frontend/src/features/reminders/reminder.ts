import type { Day, LocalTime, WeeklyEvent } from "./ics";
import { calendar, DAYS } from "./ics";

/** What a member sets for their reminders. */
export interface Reminder {
  days: readonly Day[];
  /** "07:30", in the order in which they were added. */
  times: readonly string[];
  title: string;
  minutes: number;
  /** What it opens: a path of this site; "" for nothing. */
  path: string;
}

export const MOST_TIMES = 3;
export const MOST_MINUTES = 120;
export const MOST_TITLE = 80;

/** What is wrong with it, field by field; empty when nothing is. */
export type Fault = "days" | "times" | "title" | "minutes";

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

export function faultsOf({ days, times, title, minutes }: Reminder): Fault[] {
  const faults: Fault[] = [];
  if (days.length === 0) faults.push("days");
  if (times.length === 0 || times.length > MOST_TIMES || !times.every((time) => TIME.test(time)))
    faults.push("times");
  if (title.trim() === "" || title.length > MOST_TITLE) faults.push("title");
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES) faults.push("minutes");
  return faults;
}

/** The first of these days from today on when that time has not passed, on the clock that `now` shows. */
export function firstTime(now: Date, days: readonly Day[], time: string): LocalTime {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  for (let ahead = 0; ahead <= 7; ahead++) {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
    // Sunday is 0 there, and last in the list.
    const day = DAYS[(date.getDay() + 6) % 7];
    const passed = ahead === 0 && hour * 60 + minute <= now.getHours() * 60 + now.getMinutes();
    if (day && days.includes(day) && !passed)
      return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate(), hour, minute };
  }
  throw new Error("a reminder has a day");
}

/**
 * What tells a reminder from all others, in letters and digits: the same for this member, what it opens and which of its times it is. So one that
 * is changed takes the place of the one before. It says nothing about the member to whom the file is passed on.
 */
async function uidOf(member: string, path: string, nth: number): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([member, path, nth]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex}@reminders.serein`;
}

/** A reminder's versions are counted in seconds since then: a later file is a newer version. */
const FIRST_VERSION_MS = Date.UTC(2026, 0, 1);

interface Making {
  /** Whose it is. */
  member: string;
  now: Date;
  /** Of this site, without a slash at its end. */
  origin: string;
  /** The sentence of the event, with the address that it opens; "" for none. */
  describe: (url: string) => string;
}

/** The calendar file: an event for each of the times. */
export async function fileOf(reminder: Reminder, { member, now, origin, describe }: Making): Promise<string> {
  const url = reminder.path && origin + reminder.path;
  const event = async (time: string, nth: number): Promise<WeeklyEvent> => ({
    uid: await uidOf(member, reminder.path, nth),
    sequence: Math.max(0, Math.floor((now.getTime() - FIRST_VERSION_MS) / 1000)),
    madeAt: now.getTime(),
    start: firstTime(now, reminder.days, time),
    minutes: reminder.minutes,
    days: reminder.days,
    title: reminder.title.trim(),
    description: describe(url),
    url,
  });
  return calendar(await Promise.all(reminder.times.map(event)));
}
