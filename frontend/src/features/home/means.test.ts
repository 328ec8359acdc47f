import { expect, test } from "vitest";
import { member } from "@/testing/member";
import { meansOf } from "./Means";

const NOW = Date.UTC(2026, 10, 23, 9);
const HOUR_MS = 3_600_000;
const trial = member().plan;
const credits = (n: number) => ({ plan: n, topUp: 0, held: 0 });
const paid = (more: object) =>
  trial && { ...trial, trial: false, renews: true, endsAt: NOW + 9 * 24 * HOUR_MS, ...more };
const until = (hours: number) => trial && { ...trial, endsAt: NOW + hours * HOUR_MS };

test.for([
  [null, 0, "We’re setting up your trial. It takes a moment."],
  [until(5 * 24 - 1), 3, "Your free trial has five days to go, with 3 credits to use."],
  [until(2), 1, "Your free trial has one day to go, with 1 credit to use."],
  [until(-1), 0, "Your free trial has one day to go."],
  [paid({}), 12, "You have 12 credits to use, and your membership renews in nine days."],
  [paid({}), 0, "You have no credits left, and your membership renews in nine days."],
  [
    paid({ renews: false, endsAt: NOW + HOUR_MS }),
    1,
    "You have 1 credit to use, and your membership ends in one day.",
  ],
  [
    paid({ endsAt: NOW - HOUR_MS, graceUntil: NOW + 14 * 24 * HOUR_MS - HOUR_MS }),
    0,
    "You have no credits left. Your last payment didn’t go through, and everything stays open for fourteen days.",
  ],
  [paid({ endsAt: 0 }), 12, "You have 12 credits to use."],
  [trial && { ...trial, active: false }, 0, "You keep everything you’ve made."],
  [trial && { ...trial, active: false }, 2, "You keep everything you’ve made, and your 2 credits."],
] as const)("%# %s", ([plan, left, words]) => {
  expect(meansOf({ plan, credits: credits(left) }, NOW)).toBe(words);
});
