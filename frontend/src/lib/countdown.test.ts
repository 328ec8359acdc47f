import { describe, expect, test } from "vitest";
import { timeLeft } from "./countdown";

const end = Date.UTC(2026, 10, 28, 19, 4, 0);
const DAY = 86_400_000;

describe("timeLeft", () => {
  test("cuts the time into days, hours, minutes and seconds that add up again", () => {
    expect(timeLeft(end, end - (4 * DAY + 18 * 3_600_000 + 12 * 60_000 + 36_000))).toEqual({
      days: 4,
      hours: 18,
      minutes: 12,
      seconds: 36,
      over: false,
      soon: false,
    });
    for (const ms of [1, 999, 1000, 59_999, 3_600_000, 7 * DAY - 1, 7 * DAY]) {
      const left = timeLeft(end, end - ms);
      const all = left.days * 86400 + left.hours * 3600 + left.minutes * 60 + left.seconds;
      expect(all).toBe(Math.ceil(ms / 1000));
    }
  });

  test("is soon in the last hour and over at the end, never negative", () => {
    expect(timeLeft(end, end - 3_600_001).soon).toBe(false);
    expect(timeLeft(end, end - 3_600_000).soon).toBe(true);
    expect(timeLeft(end, end - 1)).toMatchObject({ seconds: 1, soon: true, over: false });
    expect(timeLeft(end, end)).toMatchObject({ seconds: 0, soon: false, over: true });
    expect(timeLeft(end, end + DAY)).toMatchObject({ days: 0, seconds: 0, over: true });
  });
});
