import { expect, test } from "vitest";
import type { LivePorts } from "./live-meditation";
import { LiveMeditations } from "./live-meditations";

const ports: LivePorts = {
  async *watch() {},
  online: () => true,
  wait: () => new Promise(() => {}),
  draw: () => 0,
  timeout: () => () => {},
  received: () => {},
  ended: () => {},
};

test("everybody who asks for a meditation gets the same one", () => {
  const lives = new LiveMeditations(ports);
  expect(lives.of("a")).toBe(lives.of("a"));
  expect(lives.of("a")).not.toBe(lives.of("b"));
});

test("no more than fifty are remembered, the oldest goes first", () => {
  const lives = new LiveMeditations(ports);
  const [first, second] = [lives.of("first"), lives.of("second")];
  for (let i = 0; i < 48; i++) lives.of(`more ${i}`);
  lives.of("first");
  lives.of("one too many");
  expect(lives.size).toBe(50);
  expect(lives.of("first")).toBe(first);
  expect(lives.of("second")).not.toBe(second);
});

test("one that somebody follows is never dropped", () => {
  const lives = new LiveMeditations(ports);
  const followed = lives.of("followed");
  const stop = followed.subscribe(() => {});
  for (let i = 0; i < 200; i++) lives.of(`more ${i}`);
  expect(lives.of("followed")).toBe(followed);
  expect(lives.size).toBe(50);
  stop();
});
