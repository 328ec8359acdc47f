import { describe, expect, test } from "vitest";
import { BELL_NAMES, ring, soundMs } from "./bells";
import { RATE } from "./wav";

/** How much of a frequency there is in `seconds` from `from` on (Goertzel). */
function level(sound: Float32Array, hz: number, from: number, seconds: number): number {
  const part = sound.subarray(from * RATE, (from + seconds) * RATE);
  const twice = 2 * Math.cos((2 * Math.PI * hz) / RATE);
  let [a, b] = [0, 0];
  for (const sample of part) [a, b] = [sample + twice * a - b, a];
  return Math.sqrt(Math.max(0, a * a + b * b - twice * a * b)) / part.length;
}

const loudest = (sound: Float32Array): number => sound.reduce((most, s) => Math.max(most, Math.abs(s)), 0);

describe.each(BELL_NAMES)("the bell %s", (name) => {
  const sound = ring(name);

  test("is never cut off, as loud as the others, and ends in silence after a long tail", () => {
    expect(loudest(sound)).toBeCloseTo(0.6, 3);
    expect(sound.length).toBe((soundMs(name) / 1000) * RATE);
    const tail = loudest(sound.subarray(sound.length / 2, (sound.length * 3) / 4));
    expect(tail).toBeGreaterThan(0.0006);
    expect(loudest(sound.subarray(-RATE / 100))).toBeLessThan(0.0005);
  });

  test("is struck at once, and without a click", () => {
    const first = sound.findIndex((sample) => Math.abs(sample) > 0.06);
    expect(first / RATE).toBeLessThan(0.02);
    expect(Math.abs(sound[0] ?? 1)).toBe(0);
  });

  test("is the same each time", () => {
    expect(ring(name).every((sample, i) => sample === sound[i])).toBe(true);
  });
});

test("what is high in a bell goes before what is low, as in a real one", () => {
  const bowl = ring("bowl");
  const [low, high] = [196, 196 * 5.04];
  const share = (from: number) => level(bowl, high, from, 0.5) / level(bowl, low, from, 0.5);
  expect(share(8)).toBeLessThan(share(0.2) / 4);
});

test("no two bells have the same tone", () => {
  const tones = BELL_NAMES.map((name) => {
    const sound = ring(name);
    const heights = Array.from({ length: 120 }, (_, i) => 90 * 2 ** (i / 24));
    return heights.toSorted((a, b) => level(sound, b, 1, 1) - level(sound, a, 1, 1))[0];
  });
  expect(new Set(tones).size).toBe(BELL_NAMES.length);
});
