import { expect, test } from "vitest";
import { FADE_IN_S, FADE_OUT_S, FADE_SHORT_S } from "./fade";
import { LoopSource } from "./loop-source";
import type { Loop } from "./types";

/** The sound itself, as Web Audio renders it: what the gains do to it, and what the loop joins. */

const RATE = 48_000;
const VOLUME = 0.45;

/** A sound whose every sample is 1, so that what is heard is the gain. */
function constant(context: BaseAudioContext, seconds: number): AudioBuffer {
  const buffer = context.createBuffer(1, seconds * RATE, RATE);
  buffer.getChannelData(0).fill(1);
  return buffer;
}

const loop = (startMs: number, lengthMs: number): Loop => ({ id: "rain", url: "", startMs, lengthMs });

interface Act {
  at: number;
  run: (context: OfflineAudioContext) => void;
}

/** What is heard in `seconds`, when each act is done at its moment of the audio clock. */
async function heard(seconds: number, acts: readonly Act[]): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, seconds * RATE, RATE);
  for (const { at, run } of acts) {
    if (at === 0) run(context);
    else
      void context.suspend(at).then(() => {
        run(context);
        return context.resume();
      });
  }
  return (await context.startRendering()).getChannelData(0);
}

const at = (sound: Float32Array, seconds: number): number => sound[Math.round(seconds * RATE)] ?? Number.NaN;

/** The largest step between two samples that follow each other. */
const largestStep = (sound: Float32Array): number =>
  sound.reduce(
    (most, sample, i) => (i === 0 ? 0 : Math.max(most, Math.abs(sample - (sound[i - 1] ?? 0)))),
    0,
  );

test("the fade in rises over a second by 20 steps of 50 ms, evenly and without a click", async () => {
  const sound = await heard(2, [
    {
      at: 0,
      run: (context) =>
        new LoopSource(context, constant(context, 1), loop(0, 1000), 0).fadeTo(VOLUME, FADE_IN_S),
    },
  ]);
  for (let step = 0; step <= 20; step++)
    expect(at(sound, step * 0.05), `after ${step} steps`).toBeCloseTo((VOLUME * step) / 20, 2);
  expect(at(sound, 1.5)).toBeCloseTo(VOLUME, 4);
  expect(largestStep(sound)).toBeLessThan(0.001);
});

test("the fade out falls over two seconds by 20 steps, and then nothing is heard", async () => {
  let source: LoopSource | undefined;
  const sound = await heard(5, [
    {
      at: 0,
      run: (context) => {
        source = new LoopSource(context, constant(context, 1), loop(0, 1000), 0);
        source.fadeTo(VOLUME, FADE_IN_S);
      },
    },
    { at: 2, run: () => source?.stop(FADE_OUT_S) },
  ]);
  for (let step = 0; step <= 20; step++)
    expect(at(sound, 2 + step * 0.1), `after ${step} steps`).toBeCloseTo(VOLUME * (1 - step / 20), 2);
  expect(sound.subarray(4.01 * RATE).every((sample) => sample === 0)).toBe(true);
  expect(largestStep(sound)).toBeLessThan(0.001);
});

test("a fade that is turned round within it goes on from the level that is heard", async () => {
  let source: LoopSource | undefined;
  const sound = await heard(3, [
    {
      at: 0,
      run: (context) => {
        source = new LoopSource(context, constant(context, 1), loop(0, 1000), 0);
        source.fadeTo(VOLUME, FADE_IN_S);
      },
    },
    { at: 0.5, run: () => source?.stop(FADE_OUT_S) },
  ]);
  expect(at(sound, 0.5)).toBeCloseTo(VOLUME / 2, 2);
  expect(at(sound, 1.5)).toBeCloseTo(VOLUME / 4, 2);
  expect(at(sound, 2.6)).toBe(0);
  expect(largestStep(sound)).toBeLessThan(0.001);
});

test("from one sound to another there is neither a gap nor a jump", async () => {
  let first: LoopSource | undefined;
  const sound = await heard(4, [
    {
      at: 0,
      run: (context) => {
        first = new LoopSource(context, constant(context, 1), loop(0, 1000), 0);
        first.fadeTo(VOLUME, FADE_IN_S);
      },
    },
    {
      at: 2,
      run: (context) => {
        first?.stop(FADE_SHORT_S);
        new LoopSource(context, constant(context, 1), loop(0, 1000), 0).fadeTo(VOLUME, FADE_IN_S);
      },
    },
  ]);
  const between = sound.subarray(2 * RATE, 3 * RATE);
  expect(Math.min(...between.filter((_, i) => i % 48 === 0))).toBeGreaterThan(0.05);
  expect(Math.max(...between.filter((_, i) => i % 48 === 0))).toBeLessThanOrEqual(VOLUME + 0.001);
  expect(largestStep(sound)).toBeLessThan(0.001);
  expect(at(sound, 3.5)).toBeCloseTo(VOLUME, 4);
});

test("the loop joins its end to its beginning without a gap, and nothing outside of it is heard", async () => {
  // Four whole waves lie in the loop; before and after it stand clicks that no ear should get.
  const HZ = 8;
  const sound = await heard(4, [
    {
      at: 0,
      run: (context) => {
        const buffer = context.createBuffer(1, RATE, RATE);
        const samples = buffer.getChannelData(0).fill(1);
        for (let i = 0.25 * RATE; i < 0.75 * RATE; i++)
          samples[i] = 0.5 * Math.sin((2 * Math.PI * HZ * (i - 0.25 * RATE)) / RATE);
        new LoopSource(context, buffer, loop(250, 500), 0).fadeTo(1, 0.05);
      },
    },
  ]);
  const steady = sound.subarray(0.1 * RATE);
  expect(largestStep(steady)).toBeLessThan((0.5 * 2 * Math.PI * HZ * 1.05) / RATE);
  const wave = (seconds: number) => 0.5 * Math.sin(2 * Math.PI * HZ * seconds);
  for (const seconds of [0.2, 0.49, 0.5, 0.51, 1.03, 2.6, 3.99])
    expect(at(sound, seconds), `at ${seconds} s`).toBeCloseTo(wave(seconds), 2);
});

test("a sound that goes on begins where it was left", async () => {
  const sound = await heard(1, [
    {
      at: 0,
      run: (context) => {
        const buffer = context.createBuffer(1, RATE, RATE);
        const samples = buffer.getChannelData(0);
        for (let i = 0; i < RATE; i++) samples[i] = i / RATE;
        new LoopSource(context, buffer, loop(0, 1000), 0.6).fadeTo(1, 0.05);
      },
    },
  ]);
  expect(at(sound, 0.1)).toBeCloseTo(0.7, 2);
  expect(at(sound, 0.5), "round the join").toBeCloseTo(0.1, 2);
});
