import { expect, test } from "vitest";
import { member } from "@/testing/member";
import { meansOf } from "./Means";

const NOW = Date.UTC(2026, 10, 23, 9);
const HOUR_MS = 3_600_000;
const trial = member().plan;
const credits = (n: number) => ({ plan: n, topUp: 0, held: 0 });
const until = (hours: number) => trial && { ...trial, endsAt: NOW + hours * HOUR_MS };

test.for([
  [null, 0, "We’re setting up your trial. It takes a moment."],
  [until(5 * 24 - 1), 3, "Your free trial has five days to go, with 3 credits to use."],
  [until(2), 1, "Your free trial has one day to go, with 1 credit to use."],
  [until(-1), 0, "Your free trial has one day to go."],
  [trial && { ...trial, trial: false }, 12, "You have 12 credits to use."],
  [trial && { ...trial, trial: false }, 0, "Everything you’ve made is here to listen to."],
  [trial && { ...trial, active: false }, 0, "You keep everything you’ve made."],
  [trial && { ...trial, active: false }, 2, "You keep everything you’ve made, and your 2 credits."],
] as const)("%# %s", ([plan, left, words]) => {
  expect(meansOf({ plan, credits: credits(left) }, NOW)).toBe(words);
});
