import { expect, test } from "vitest";
import { leftOf } from "./left";

const SECOND = 1000;
const HOUR = 3_600 * SECOND;

test.each([
  [552 * SECOND, "9 min 12 s"],
  [12 * SECOND, "12 s"],
  [3 * HOUR + 300 * SECOND, "3 h 5 min"],
  [13 * 24 * HOUR + HOUR, "13 days"],
  [0, ""],
  [-HOUR, ""],
])("of %d ms %j is left", (ms, words) => {
  expect(leftOf(1_800_000_000_000 + ms, 1_800_000_000_000)).toBe(words);
});
