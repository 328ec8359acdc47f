import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createToaster, LASTS_MS, MOST } from "./store";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (toaster: ReturnType<typeof createToaster>) => toaster.list.get().map((t) => t.text);

describe("notices", () => {
  test("leave after three seconds, each by its own clock", () => {
    const toaster = createToaster();
    toaster.show("one");
    vi.advanceTimersByTime(1000);
    toaster.show("two");
    vi.advanceTimersByTime(LASTS_MS - 1001);
    expect(texts(toaster)).toEqual(["one", "two"]);
    vi.advanceTimersByTime(1);
    expect(texts(toaster)).toEqual(["two"]);
    vi.advanceTimersByTime(1000);
    expect(texts(toaster)).toEqual([]);
  });

  test("are twenty at most: the oldest makes room", () => {
    const toaster = createToaster();
    for (let i = 0; i <= MOST; i++) toaster.show(`${i}`);
    expect(texts(toaster)).toHaveLength(MOST);
    expect(texts(toaster)[0]).toBe("1");
    expect(texts(toaster).at(-1)).toBe(`${MOST}`);
  });

  test("wait while someone points at them or reads them, then use up the rest of their time", () => {
    const toaster = createToaster();
    toaster.show("one");
    vi.advanceTimersByTime(2000);
    toaster.hold();
    toaster.show("came meanwhile");
    vi.advanceTimersByTime(60_000);
    expect(texts(toaster)).toEqual(["one", "came meanwhile"]);
    toaster.release();
    vi.advanceTimersByTime(999);
    expect(texts(toaster)).toEqual(["one", "came meanwhile"]);
    vi.advanceTimersByTime(1);
    expect(texts(toaster)).toEqual(["came meanwhile"]);
    vi.advanceTimersByTime(2000);
    expect(texts(toaster)).toEqual([]);
  });

  test("dismissing the last one under the pointer does not hold the next one for ever", () => {
    const toaster = createToaster();
    toaster.show("one");
    toaster.hold();
    toaster.dismiss(toaster.list.get()[0]?.id ?? 0);
    toaster.show("two");
    vi.advanceTimersByTime(LASTS_MS);
    expect(texts(toaster)).toEqual([]);
  });
});
