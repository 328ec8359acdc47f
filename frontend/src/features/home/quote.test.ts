import { describe, expect, test } from "vitest";
import { quotes } from "@/copy/quotes";
import { dayOfYear, quoteOfTheDay } from "./quote";

const at = (month: number, day: number, hour = 12, year = 2026) =>
  new Date(year, month - 1, day, hour).getTime();

describe("quote of the day", () => {
  test("counts the member's own calendar days, through clock changes and leap years", () => {
    expect(dayOfYear(at(1, 1))).toBe(1);
    expect(dayOfYear(at(11, 21))).toBe(325);
    expect(dayOfYear(at(12, 31, 23))).toBe(365);
    expect(dayOfYear(at(12, 31, 23, 2028))).toBe(366);
  });

  test("stays all day and changes at midnight", () => {
    expect(quoteOfTheDay(at(11, 21, 0))).toBe(quoteOfTheDay(at(11, 21, 23)));
    for (let day = 1; day < 366; day++)
      expect(quoteOfTheDay(at(1, day))).not.toBe(quoteOfTheDay(at(1, day + 1)));
  });

  test("no line stands twice", () => {
    expect(new Set(quotes).size).toBe(quotes.length);
  });
});
