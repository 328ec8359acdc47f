import { expect, test } from "vitest";
import { forThisHour, greeting } from "./day";

test("the greeting follows the hour, and a short night is still evening", () => {
  expect([5, 11].map(greeting)).toEqual(["Good morning", "Good morning"]);
  expect([12, 17].map(greeting)).toEqual(["Good afternoon", "Good afternoon"]);
  expect([18, 23, 0, 4].map(greeting)).toEqual(Array(4).fill("Good evening"));
});

test("what is suggested is for the part of the day that the hour belongs to", () => {
  const day = Array.from({ length: 24 }, (_, hour) => forThisHour(hour));
  expect(day.slice(0, 5)).toEqual(Array(5).fill("For tonight"));
  expect(day.slice(5, 12)).toEqual(Array(7).fill("For this morning"));
  expect(day.slice(12, 14)).toEqual(Array(2).fill("For the middle of the day"));
  expect(day.slice(14, 18)).toEqual(Array(4).fill("For this afternoon"));
  expect(day.slice(18, 22)).toEqual(Array(4).fill("For this evening"));
  expect(day.slice(22)).toEqual(Array(2).fill("For tonight"));
});
