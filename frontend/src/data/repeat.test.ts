import { expect, test } from "vitest";
import { jittered } from "@/lib/jitter";
import { repeated } from "./repeat";

const HOW = { firstMs: 1000, mostMs: 2000, times: 4 };

/** A read after so many answers and failures. */
function read() {
  const state = { data: "one" as unknown, dataUpdateCount: 1, errorUpdateCount: 0 };
  const query = { state };
  return {
    query,
    fails: () => state.errorUpdateCount++,
    answers: (data: unknown) => {
      state.data = data;
      state.dataUpdateCount++;
    },
  };
}

test("a pause is made longer by up to a half", () => {
  expect([0, 0.5, 1].map((draw) => jittered(1000, draw))).toEqual([1000, 1250, 1500]);
});

test("pauses grow to the longest, and end after so many repeats that failed or changed nothing", () => {
  const { query, fails, answers } = read();
  const next = () => repeated(query, HOW, () => 0);
  const pauses = [next()];
  for (const happens of [fails, fails, () => answers("one"), fails, fails]) {
    happens();
    pauses.push(next());
  }
  expect(pauses).toEqual([1000, 1500, 2000, 2000, false, false]);
});

test("a read that is never answered is repeated as often after its first failure", () => {
  const state = { data: undefined, dataUpdateCount: 0, errorUpdateCount: 0 };
  const query = { state };
  repeated(query, HOW);
  const pauses = Array.from({ length: 6 }, () => {
    state.errorUpdateCount++;
    return repeated(query, HOW, () => 0);
  });
  expect(pauses).toEqual([1000, 1500, 2000, 2000, false, false]);
});

test("an answer that changes something begins them again", () => {
  const { query, fails, answers } = read();
  const next = () => repeated(query, HOW, () => 0);
  for (let n = 0; n < 6; n++) {
    next();
    fails();
  }
  expect(next()).toBe(false);
  answers("two");
  expect(next()).toBe(1000);
});

test("a pause is drawn once for each answer, or a timer that is set again at each look would never fire", () => {
  const { query, fails } = read();
  const draws = [0, 1, 0.5];
  const next = () => repeated(query, HOW, () => draws.shift() ?? 0);
  expect([next(), next(), next()]).toEqual([1000, 1000, 1000]);
  fails();
  expect([next(), next()]).toEqual([2250, 2250]);
});

test("ten thousand tabs that a restart cut off together come back spread over half the pause", () => {
  let drawn = 0;
  const draw = () => (drawn = (drawn + 0.618_034) % 1);
  const pauses = Array.from({ length: 10_000 }, () => Number(repeated(read().query, HOW, draw)));
  const tenths = Array.from(
    { length: 10 },
    (_, i) => pauses.filter((ms) => ms >= 1000 + i * 50 && ms < 1050 + i * 50).length,
  );
  expect(Math.max(...tenths)).toBeLessThan(1100);
});
