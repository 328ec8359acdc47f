import { expect, test } from "vitest";

test("it is the same day for every test, whenever it runs", () => {
  expect(new Date().toDateString()).toBe("Mon Nov 23 2026");
  expect(new Date(Date.now()).getHours()).toBe(13);
  expect(Date()).toMatch(/^Mon Nov 23 2026 13:00/);
  expect(new Date(2028, 1, 29)).toBeInstanceOf(Date);
  expect(new Date(2028, 1, 29, 12).toISOString()).toBe("2028-02-29T12:00:00.000Z");
});

test("what happens later is later", () => {
  const before = Date.now();
  expect(Date.now()).toBeGreaterThan(before);
});
