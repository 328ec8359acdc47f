import type { BellName } from "./sound/bells";
import { BELL_NAMES } from "./sound/bells";

/** What timer and breath pacer are set to, and what each setting may be. */

export interface Limits {
  least: number;
  most: number;
  step: number;
}

const limits = (least: number, most: number, step = 1): Limits => ({ least, most, step });

/** The nearest value that is allowed; `otherwise` for what is no number. */
export function within(value: unknown, { least, most, step }: Limits, otherwise: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  const stepped = least + Math.round((value - least) / step) * step;
  return Math.min(most, Math.max(least, stepped));
}

export const LOUDNESSES = ["soft", "medium", "full"] as const;
export type Loudness = (typeof LOUDNESSES)[number];

/** How much of the full level is heard. It stands in the samples: an iPhone lets no page set a volume. */
export const LEVELS: Readonly<Record<Loudness, number>> = { soft: 0.25, medium: 0.5, full: 1 };

export type BellChoice = BellName | "none";
export const BELL_CHOICES: readonly BellChoice[] = [...BELL_NAMES, "none"];

export interface TimerSettings {
  minutes: number;
  /** Without a set end: `OPEN_MINUTES` at most. `minutes` stays for when it is switched off. */
  openEnded: boolean;
  /** Seconds to settle in before the starting bell. */
  prepareS: number;
  /** Minutes between interval bells; 0 for none. */
  everyMinutes: number;
  start: BellChoice;
  interval: BellChoice;
  end: BellChoice;
  loudness: Loudness;
}

export const TIMER_LIMITS = {
  minutes: limits(1, 120),
  prepareS: limits(0, 60, 5),
  everyMinutes: limits(0, 60),
} as const;

/** How long an open-ended sitting goes on if nobody ends it, in minutes. */
export const OPEN_MINUTES = 120;

export const TIMER_DEFAULTS: TimerSettings = {
  minutes: 20,
  openEnded: false,
  prepareS: 10,
  everyMinutes: 0,
  start: "bowl",
  interval: "chime",
  end: "bowl",
  loudness: "medium",
};

export const PARTS = ["in", "hold", "out", "rest"] as const;
/** A part of a breath: in, held full, out, held empty. */
export type Part = (typeof PARTS)[number];

export type Seconds = Readonly<Record<Part, number>>;

export const PATTERNS = {
  coherent: { in: 5.5, hold: 0, out: 5.5, rest: 0 },
  box: { in: 4, hold: 4, out: 4, rest: 4 },
  "4-7-8": { in: 4, hold: 7, out: 8, rest: 0 },
} as const satisfies Record<string, Seconds>;

export type PatternName = keyof typeof PATTERNS;
export const PATTERN_NAMES = Object.keys(PATTERNS) as readonly PatternName[];

/** Seconds that each part may take. */
export const PART_LIMITS: Readonly<Record<Part, Limits>> = {
  in: limits(2, 10, 0.5),
  hold: limits(0, 10, 0.5),
  out: limits(2, 12, 0.5),
  rest: limits(0, 10, 0.5),
};

export interface BreathSettings {
  pattern: PatternName;
  seconds: Seconds;
  minutes: number;
  /** Soft tones that rise and fall with the breath. */
  tones: boolean;
  loudness: Loudness;
}

export const BREATH_MINUTES = limits(1, 30);

/** How long a pattern is breathed where nobody says otherwise, in minutes. 4-7-8 is short: its long hold makes beginners dizzy. */
const USUAL_MINUTES: Readonly<Record<PatternName, number>> = { coherent: 10, box: 5, "4-7-8": 2 };

/** A pattern with its own seconds and its usual length; the rest stays as it was set. */
export const withPattern = (settings: BreathSettings, pattern: PatternName): BreathSettings => ({
  ...settings,
  pattern,
  seconds: PATTERNS[pattern],
  minutes: USUAL_MINUTES[pattern],
});

export const BREATH_DEFAULTS: BreathSettings = {
  pattern: "coherent",
  seconds: PATTERNS.coherent,
  minutes: USUAL_MINUTES.coherent,
  tones: true,
  loudness: "medium",
};

export const holdsBreath = ({ hold, rest }: Seconds): boolean => hold > 0 || rest > 0;

const oneOf = <T>(value: unknown, all: readonly T[], otherwise: T): T =>
  all.find((each) => each === value) ?? otherwise;

const bool = (value: unknown, otherwise: boolean): boolean =>
  typeof value === "boolean" ? value : otherwise;

/** What was kept, made sound: an older version of the app, or somebody's hand, may have left anything there. */
export function soundTimer(kept: Partial<Record<keyof TimerSettings, unknown>>): TimerSettings {
  const or = TIMER_DEFAULTS;
  return {
    minutes: within(kept.minutes, TIMER_LIMITS.minutes, or.minutes),
    openEnded: bool(kept.openEnded, or.openEnded),
    prepareS: within(kept.prepareS, TIMER_LIMITS.prepareS, or.prepareS),
    everyMinutes: within(kept.everyMinutes, TIMER_LIMITS.everyMinutes, or.everyMinutes),
    start: oneOf(kept.start, BELL_CHOICES, or.start),
    interval: oneOf(kept.interval, BELL_CHOICES, or.interval),
    end: oneOf(kept.end, BELL_CHOICES, or.end),
    loudness: oneOf(kept.loudness, LOUDNESSES, or.loudness),
  };
}

/** The same for the breath pacer. */
export function soundBreath(kept: Partial<Record<keyof BreathSettings, unknown>>): BreathSettings {
  const or = BREATH_DEFAULTS;
  const pattern = oneOf(kept.pattern, PATTERN_NAMES, or.pattern);
  const given = (kept.seconds ?? {}) as Partial<Record<Part, unknown>>;
  const secondsOf = (part: Part) => within(given[part], PART_LIMITS[part], PATTERNS[pattern][part]);
  return {
    pattern,
    seconds: { in: secondsOf("in"), hold: secondsOf("hold"), out: secondsOf("out"), rest: secondsOf("rest") },
    minutes: within(kept.minutes, BREATH_MINUTES, or.minutes),
    tones: bool(kept.tones, or.tones),
    loudness: oneOf(kept.loudness, LOUDNESSES, or.loudness),
  };
}
