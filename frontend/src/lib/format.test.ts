import { expect, test } from "vitest";
import {
  formatCalendarDate,
  formatClock,
  formatCount,
  formatDate,
  formatDay,
  formatNumber,
  formatSpoken,
  formatTime,
  formatUnit,
  formatVersion,
  isoDate,
  localDate,
} from "./format";

test("lengths and dates read as in British English", () => {
  expect(formatClock(0)).toBe("0:00");
  expect(formatClock(485_900)).toBe("8:05");
  expect(formatClock(3_725_000)).toBe("1:02:05");
  expect(formatSpoken(485_000)).toBe("8 minutes 5 seconds");
  expect(formatSpoken(354_900)).toBe("5 minutes 54 seconds");
  expect(formatClock(354_900)).toBe("5:54");
  expect(formatSpoken(61_000)).toBe("1 minute 1 second");
  expect(formatUnit(1, "day")).toBe("1 day");
  expect(formatDay(new Date(2026, 10, 21, 12).getTime())).toBe("Saturday 21 November");
  expect(localDate(new Date(2026, 0, 5, 0, 1).getTime())).toBe("2026-01-05");
});

test("the words are Intl's, for every day of two years and every size of number", () => {
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);
  const day = dates({ weekday: "long", day: "numeric", month: "long" });
  const date = dates({ day: "numeric", month: "long" });
  const calendarDate = dates({ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const long = dates({ dateStyle: "long", timeZone: "UTC" });
  const time = dates({ hour: "2-digit", minute: "2-digit" });
  // Hours and minutes move on with the days.
  for (let ms = Date.UTC(2027, 0, 1); ms < Date.UTC(2029, 0, 1); ms += 86_400_000 + 3_660_000) {
    expect(formatDay(ms)).toBe(day.format(ms).replace(",", ""));
    expect(formatDate(ms)).toBe(date.format(ms));
    expect(formatCalendarDate(ms)).toBe(calendarDate.format(ms));
    expect(formatVersion(isoDate(ms))).toBe(long.format(ms));
    expect(formatTime(ms)).toBe(time.format(ms));
  }
  const number = new Intl.NumberFormat("en-GB");
  const hours = new Intl.NumberFormat("en-GB", { style: "unit", unit: "hour", unitDisplay: "long" });
  for (const n of [0, 1, 2, 12, 123, 999, 1000, 1204, 99_999, 100_000, 1_234_567, 9_876_543_210]) {
    expect(formatNumber(n)).toBe(number.format(n));
    expect(formatUnit(n, "hour")).toBe(hours.format(n));
  }
});

test("the version of a text is a day in words, and what is no day stands as it is", () => {
  expect(formatVersion("2026-11-21")).toBe("21 November 2026");
  expect(formatVersion("second draft")).toBe("second draft");
});

// As the gateway says them (internal/page/fill_test.go): in other words the app could not take its pages over.
test("a count is said with its word", () => {
  const articles = (n: number) => formatCount(n, "article", "articles");
  expect([0, 1, 7, 12_040].map(articles)).toEqual([
    "0 articles",
    "1 article",
    "7 articles",
    "12,040 articles",
  ]);
});
