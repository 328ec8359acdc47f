import { expect, test } from "vitest";
import { renewal } from "./to-pay";

const day = (year: number, month: number, date: number) => new Date(year, month - 1, date, 10, 30).getTime();

test("a membership renews on the same day, or on the month's last day if the month is too short", () => {
  expect(renewal(day(2026, 11, 23), "month")).toBe(day(2026, 12, 23));
  expect(renewal(day(2026, 12, 23), "month")).toBe(day(2027, 1, 23));
  expect(renewal(day(2027, 1, 31), "month")).toBe(day(2027, 2, 28));
  expect(renewal(day(2026, 11, 23), "year")).toBe(day(2027, 11, 23));
  expect(renewal(day(2028, 2, 29), "year")).toBe(day(2029, 2, 28));
});
