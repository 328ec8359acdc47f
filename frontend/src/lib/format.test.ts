import { expect, test } from "vitest";
import { formatClock, formatDay, formatSpoken, formatUnit, localDate } from "./format";

test("lengths and dates read as in British English", () => {
  expect(formatClock(0)).toBe("0:00");
  expect(formatClock(485_900)).toBe("8:05");
  expect(formatClock(3_725_000)).toBe("1:02:05");
  expect(formatSpoken(485_000)).toBe("8 minutes 5 seconds");
  expect(formatSpoken(61_000)).toBe("1 minute 1 second");
  expect(formatUnit(1, "day")).toBe("1 day");
  expect(formatDay(new Date(2026, 10, 21, 12).getTime())).toBe("Saturday 21 November");
  expect(localDate(new Date(2026, 0, 5, 0, 1).getTime())).toBe("2026-01-05");
});
