import { expect, test } from "vitest";
import { entryDate } from "./entry-date";

test("a day is short, today has its time, and another year its number", () => {
  const now = new Date(2026, 10, 21, 18).getTime();
  expect(entryDate(new Date(2026, 10, 21, 9, 5).getTime(), now)).toBe("Today 09:05");
  expect(entryDate(new Date(2026, 10, 20, 23, 59).getTime(), now)).toBe("Fri 20 Nov");
  expect(entryDate(new Date(2025, 11, 31, 12).getTime(), now)).toBe("Wed 31 Dec 2025");
});
