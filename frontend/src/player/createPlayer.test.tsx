import { afterEach, expect, test, vi } from "vitest";
import { createSetting } from "@/testing/page";
import { createPlayer } from "./player";

afterEach(() => vi.unstubAllGlobals());

test("the audio context is made at the first sign of a reader, and no press makes another", () => {
  const made = vi.fn();
  class Counted extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options);
      made();
    }
  }
  vi.stubGlobal("AudioContext", Counted);
  const idle: (() => void)[] = [];
  vi.stubGlobal("requestIdleCallback", (run: () => void) => idle.push(run));
  const { engine } = createPlayer(createSetting().data);
  expect(idle).toEqual([]);
  for (const sign of ["pointermove", "keydown"]) window.dispatchEvent(new Event(sign));
  expect(idle).toHaveLength(1);
  expect(made).not.toHaveBeenCalled();
  for (const run of idle) run();
  expect(made).toHaveBeenCalledTimes(1);
  engine.unlock();
  expect(made).toHaveBeenCalledTimes(1);
  engine.dispose();
});
