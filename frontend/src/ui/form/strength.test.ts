import { expect, test } from "vitest";
import { strength } from "./strength";

test("a longer and more varied password counts for more", () => {
  expect(strength("")).toBe(0);
  expect(strength("pines")).toBe(1);
  expect(strength("aaaaaaaaaaaaaaaaaaaaaaaa")).toBe(1);
  expect(strength("still-water1")).toBe(2);
  expect(strength("stillwater-9-pines")).toBe(3);
  expect(strength("stillwater-9-pines-lantern")).toBe(4);
});
