import { describe, expect, test } from "vitest";
import { breathing, momentOf } from "./breath";
import { breathPlan, READY_MS, strikesOf, timerPlan } from "./plan";
import type { TimerSettings } from "./settings";
import {
  BREATH_DEFAULTS,
  OPEN_MINUTES,
  PATTERN_NAMES,
  soundBreath,
  soundTimer,
  TIMER_DEFAULTS,
  withPattern,
} from "./settings";
import { Silence } from "./sound/track";
import { RATE } from "./sound/wav";

const HEADER = 44;

/** The samples of a file, as the browser reads them. */
async function samplesOf(file: Blob): Promise<Int16Array> {
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  expect(view.getUint32(40, true)).toBe(bytes.byteLength - HEADER);
  expect(view.getUint32(4, true)).toBe(bytes.byteLength - 8);
  return new Int16Array(bytes, HEADER);
}

/** Where something begins after silence, in seconds: what is louder than the hum by far, when nothing was for half a second. */
function onsets(samples: Int16Array): number[] {
  const found: number[] = [];
  let quietFrom = -RATE;
  samples.forEach((sample, i) => {
    if (Math.abs(sample) < 250) return;
    if (i - quietFrom > RATE / 2) found.push(i / RATE);
    quietFrom = i;
  });
  return found;
}

const settings = (some: Partial<TimerSettings>): TimerSettings => ({ ...TIMER_DEFAULTS, ...some });

describe("the timer's bells", () => {
  test("one to begin, one every five minutes, and one to end in the place of an interval's", () => {
    const strikes = strikesOf(settings({ minutes: 20, prepareS: 10, everyMinutes: 5 }));
    expect(strikes).toEqual([
      { atMs: 10_000, bell: "bowl" },
      { atMs: 310_000, bell: "chime" },
      { atMs: 610_000, bell: "chime" },
      { atMs: 910_000, bell: "chime" },
      { atMs: 1_210_000, bell: "bowl" },
    ]);
  });

  test("none where none is wanted", () => {
    expect(strikesOf(settings({ start: "none", end: "none", everyMinutes: 0 }))).toEqual([]);
    const silent = settings({ minutes: 4, prepareS: 0, everyMinutes: 1, interval: "none" });
    expect(strikesOf(silent).map(({ atMs }) => atMs)).toEqual([0, 240_000]);
  });

  test("without a set end it goes on for two hours, and then a bell ends it", () => {
    const open = settings({ openEnded: true, prepareS: 0 });
    expect(timerPlan(open).endsMs).toBe(OPEN_MINUTES * 60_000);
    expect(strikesOf(open).at(-1)).toEqual({ atMs: OPEN_MINUTES * 60_000, bell: "bowl" });
  });

  test("stand in the file where they belong, to a hundredth of a second, for all of twenty minutes", async () => {
    const wanted = settings({ minutes: 20, prepareS: 10, everyMinutes: 5, loudness: "full" });
    const samples = await samplesOf(timerPlan(wanted).track());
    const heard = onsets(samples);
    const strikes = strikesOf(wanted);
    expect(heard).toHaveLength(strikes.length);
    strikes.forEach(({ atMs }, i) => expect(Math.abs((heard[i] ?? 0) - atMs / 1000)).toBeLessThan(0.02));
    expect(samples.length / RATE).toBe(10 + 20 * 60 + 18);
  });

  test("are softer where that is wanted, and of the same shape", async () => {
    const loudest = async (loudness: TimerSettings["loudness"]) => {
      const samples = await samplesOf(timerPlan(settings({ minutes: 1, loudness })).track());
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32_767;
    };
    expect(await loudest("full")).toBeCloseTo(0.6, 1);
    expect(await loudest("soft")).toBeCloseTo(0.15, 1);
  });

  test("of the longest sitting lie in one file as well, made of the same minute of silence again and again", () => {
    const file = timerPlan(settings({ openEnded: true })).track();
    expect(file.size).toBeGreaterThan(OPEN_MINUTES * 60 * 2 * RATE);
    expect(file.type).toBe("audio/wav");
    const silence = new Silence().parts(0, OPEN_MINUTES * 60 * RATE);
    expect(silence).toHaveLength(OPEN_MINUTES);
  });
});

test("silence is never quite silent, or a browser would put the tab to sleep, and nobody hears it", async () => {
  const samples = await samplesOf(
    timerPlan(settings({ minutes: 1, start: "none", end: "none", prepareS: 0 })).track(),
  );
  const power = samples.reduce((sum, s) => sum + (s / 32_768) ** 2, 0) / samples.length;
  const level = 10 * Math.log10(power);
  expect(level).toBeGreaterThan(-60);
  expect(level).toBeLessThan(-55);
  const step = samples.reduce((most, s, i) => Math.max(most, Math.abs(s - (samples[i - 1] ?? s))), 0);
  expect(step, "no click where two parts meet").toBeLessThanOrEqual(2);
});

describe("a breath", () => {
  test.each(PATTERN_NAMES)("%s is where its seconds say, in the first round and in the last", (pattern) => {
    const breath = breathing(withPattern(BREATH_DEFAULTS, pattern));
    const { partMs, cycleMs, cycles } = breath;
    const starts = {
      in: 0,
      hold: partMs.in,
      out: partMs.in + partMs.hold,
      rest: partMs.in + partMs.hold + partMs.out,
    };
    for (const cycle of [0, 1, cycles - 1])
      for (const part of ["in", "hold", "out", "rest"] as const) {
        if (partMs[part] === 0) continue;
        const at = cycle * cycleMs + starts[part];
        expect(momentOf(breath, at)).toMatchObject({ part, cycle, leftMs: partMs[part], share: 0 });
        expect(momentOf(breath, at + partMs[part] - 1)).toMatchObject({ part, cycle, leftMs: 1 });
      }
  });

  test("fills and empties without a jump", () => {
    const breath = breathing(withPattern(BREATH_DEFAULTS, "4-7-8"));
    let before = 0;
    for (let ms = 0; ms < 2 * breath.cycleMs; ms += 20) {
      const { fullness } = momentOf(breath, ms);
      expect(Math.abs(fullness - before)).toBeLessThan(0.02);
      before = fullness;
    }
  });

  test("is never cut off: the last one is whole", () => {
    const plan = breathPlan({ ...withPattern(BREATH_DEFAULTS, "box"), minutes: 5 });
    expect((plan.endsMs - plan.beginsMs) % 16_000).toBe(0);
    expect(Math.abs(plan.endsMs - plan.beginsMs - 300_000)).toBeLessThan(8_001);
  });

  test("sounds where it is: the tone of each breath begins with it, and the chime comes after the last", async () => {
    const wanted = { ...withPattern(BREATH_DEFAULTS, "4-7-8"), minutes: 30, loudness: "full" as const };
    const plan = breathPlan(wanted);
    const heard = onsets(await samplesOf(plan.track()));
    const { cycles, cycleMs } = breathing(wanted);
    // In and out of each, with the hold of seven seconds between them; the chime comes right after the last.
    const breaths = Array.from({ length: cycles }, (_, i) => (READY_MS + i * cycleMs) / 1000);
    for (const begins of breaths)
      expect(
        heard.some((at) => at >= begins && at - begins < 0.4),
        `at ${begins}`,
      ).toBe(true);
    for (const begins of breaths)
      expect(
        heard.some((at) => at >= begins + 11 && at - begins - 11 < 0.2),
        `out at ${begins}`,
      ).toBe(true);
  });

  test("without tones has no sound at all", async () => {
    const samples = await samplesOf(breathPlan({ ...BREATH_DEFAULTS, tones: false, minutes: 1 }).track());
    expect(samples.every((sample) => Math.abs(sample) < 100)).toBe(true);
  });
});

test("what an older version of the app has kept is made sound", () => {
  expect(soundTimer({})).toEqual(TIMER_DEFAULTS);
  expect(soundTimer({ minutes: 9_000, prepareS: -3, everyMinutes: "x", start: "gong", end: "none" })).toEqual(
    {
      ...TIMER_DEFAULTS,
      minutes: 120,
      prepareS: 0,
      end: "none",
    },
  );
  expect(soundBreath({})).toEqual(BREATH_DEFAULTS);
  const kept = { pattern: "box", seconds: { in: 99, hold: 3.3 }, minutes: 0, tones: "yes" };
  expect(soundBreath(kept)).toMatchObject({
    pattern: "box",
    seconds: { in: 10, hold: 3.5, out: 4, rest: 4 },
    minutes: 1,
    tones: true,
  });
});
