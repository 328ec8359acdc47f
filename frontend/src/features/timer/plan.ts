import type { Breath } from "./breath";
import { breathing } from "./breath";
import type { BreathSettings, TimerSettings } from "./settings";
import { LEVELS, OPEN_MINUTES } from "./settings";
import type { BellName } from "./sound/bells";
import { ring, soundMs } from "./sound/bells";
import type { Placed } from "./sound/track";
import { Silence, stretch, trackOf } from "./sound/track";
import { tone } from "./sound/tones";

/** What is sat through: its times, and its sound as one file. All times are ms from the file's beginning. */
export interface Plan {
  of: { kind: "timer"; settings: TimerSettings } | { kind: "breath"; settings: BreathSettings };
  /** When the getting ready is over. */
  beginsMs: number;
  /** When the time is over. A bell may ring on. */
  endsMs: number;
  /** Makes the sound; some tens of ms of work on a phone. */
  track: () => Blob;
}

/** A stroke of a bell, in ms from the file's beginning. */
export interface Strike {
  atMs: number;
  bell: BellName;
}

const MINUTE_MS = 60_000;

/** How long the breath pacer waits before the first breath. */
export const READY_MS = 5_000;
/** After the end without a bell: no browser takes the last sound for cut off. */
const LEAST_TAIL_MS = 1_000;

const timerTimes = ({ prepareS, minutes, openEnded }: TimerSettings) => {
  const beginsMs = prepareS * 1000;
  return { beginsMs, endsMs: beginsMs + (openEnded ? OPEN_MINUTES : minutes) * MINUTE_MS };
};

/** Every stroke of a timer, in order: one to begin, one every so many minutes, and one to end, which takes the place of an interval's. */
export function strikesOf(settings: TimerSettings): Strike[] {
  const { beginsMs, endsMs } = timerTimes(settings);
  const strikes: Strike[] = [];
  const strike = (atMs: number, bell: TimerSettings["start"]) => {
    if (bell !== "none") strikes.push({ atMs, bell });
  };
  strike(beginsMs, settings.start);
  const everyMs = settings.everyMinutes * MINUTE_MS;
  if (everyMs > 0)
    for (let at = beginsMs + everyMs; at < endsMs; at += everyMs) strike(at, settings.interval);
  strike(endsMs, settings.end);
  return strikes;
}

/** The sound of each bell at this level, made once. */
function bells(level: number): (bell: BellName) => Float32Array {
  const made = new Map<BellName, Float32Array>();
  return (bell) => {
    const sound = made.get(bell) ?? ring(bell).map((sample) => sample * level);
    made.set(bell, sound);
    return sound;
  };
}

const soundOf = (strikes: readonly Strike[], level: number): Placed[] => {
  const bell = bells(level);
  return strikes.map((strike) => ({ atMs: strike.atMs, sound: bell(strike.bell) }));
};

const tailOf = (end: TimerSettings["end"]): number => (end === "none" ? LEAST_TAIL_MS : soundMs(end));

export function timerPlan(settings: TimerSettings): Plan {
  const times = timerTimes(settings);
  const lengthMs = times.endsMs + tailOf(settings.end);
  return {
    ...times,
    of: { kind: "timer", settings },
    track: () =>
      trackOf([
        stretch(
          new Silence(),
          { fromMs: 0, lengthMs },
          soundOf(strikesOf(settings), LEVELS[settings.loudness]),
        ),
      ]),
  };
}

/** The tones of one breath. */
function tonesOf({ settings, partMs }: Breath): Placed[] {
  if (!settings.tones) return [];
  const level = LEVELS[settings.loudness];
  const soft = (part: "in" | "out", atMs: number): Placed => ({
    atMs,
    sound: tone(part, partMs.in * Number(part === "in") + partMs.out * Number(part === "out")).map(
      (sample) => sample * level,
    ),
  });
  return [soft("in", 0), soft("out", partMs.in + partMs.hold)];
}

/** The whole of a breath pacer: one breath, as often as it is breathed, between a moment to settle and a chime. */
function breathTrack(breath: Breath): Blob {
  const { settings, cycleMs, cycles } = breath;
  const silence = new Silence();
  const endsMs = READY_MS + cycles * cycleMs;
  const cycle = new Blob(stretch(silence, { fromMs: 0, lengthMs: cycleMs }, tonesOf(breath)));
  const chime = settings.tones ? soundOf([{ atMs: endsMs, bell: "chime" }], LEVELS[settings.loudness]) : [];
  const tailMs = settings.tones ? soundMs("chime") : LEAST_TAIL_MS;
  return trackOf([
    stretch(silence, { fromMs: 0, lengthMs: READY_MS }, []),
    Array.from({ length: cycles }, () => cycle),
    stretch(silence, { fromMs: endsMs, lengthMs: tailMs }, chime),
  ]);
}

export function breathPlan(settings: BreathSettings): Plan {
  const breath = breathing(settings);
  return {
    of: { kind: "breath", settings },
    beginsMs: READY_MS,
    endsMs: READY_MS + breath.cycles * breath.cycleMs,
    track: () => breathTrack(breath),
  };
}

export const planOf = (of: Plan["of"]): Plan =>
  of.kind === "timer" ? timerPlan(of.settings) : breathPlan(of.settings);
