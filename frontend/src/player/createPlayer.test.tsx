import { afterEach, expect, test, vi } from "vitest";
import { createSetting } from "@/testing/page";
import { createPlayer } from "./player";

afterEach(() => vi.unstubAllGlobals());

test("the audio context is made once the page is idle, and no press makes another", () => {
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
  expect(made).not.toHaveBeenCalled();
  for (const run of idle) run();
  expect(made).toHaveBeenCalledTimes(1);
  engine.unlock();
  expect(made).toHaveBeenCalledTimes(1);
  engine.dispose();
});
