import { expect, test } from "vitest";
import { greeting } from "./greeting";

test("the greeting follows the hour, and a short night is still evening", () => {
  expect([5, 11].map(greeting)).toEqual(["Good morning", "Good morning"]);
  expect([12, 17].map(greeting)).toEqual(["Good afternoon", "Good afternoon"]);
  expect([18, 23, 0, 4].map(greeting)).toEqual(Array(4).fill("Good evening"));
});
