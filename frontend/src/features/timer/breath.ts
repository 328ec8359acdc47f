import type { BreathSettings, Part, Seconds } from "./settings";
import { PARTS } from "./settings";

/** A pattern as it is breathed: whole breaths alone, so that no breath is cut off at the end. */
export interface Breath {
  settings: BreathSettings;
  partMs: Seconds;
  cycleMs: number;
  cycles: number;
}

export function breathing(settings: BreathSettings): Breath {
  const { seconds, minutes } = settings;
  const partMs = {
    in: seconds.in * 1000,
    hold: seconds.hold * 1000,
    out: seconds.out * 1000,
    rest: seconds.rest * 1000,
  };
  const cycleMs = partMs.in + partMs.hold + partMs.out + partMs.rest;
  return { settings, partMs, cycleMs, cycles: Math.max(1, Math.round((minutes * 60_000) / cycleMs)) };
}

/** Where a breath is at a moment. */
export interface Moment {
  part: Part;
  /** Which breath it is, from 0. */
  cycle: number;
  /** ms until the part is over. */
  leftMs: number;
  /** Share of the part that has passed, 0 to 1. */
  share: number;
  /** How full the lungs are, 0 to 1. */
  fullness: number;
}

/** Slow at both ends, as a breath is. */
const eased = (share: number): number => (1 - Math.cos(Math.PI * share)) / 2;

const FULLNESS: Readonly<Record<Part, (share: number) => number>> = {
  in: eased,
  hold: () => 1,
  out: (share) => 1 - eased(share),
  rest: () => 0,
};

/** The moment `ms` after the first breath began: computed from the time alone, so that no error adds up. */
export function momentOf({ partMs, cycleMs }: Breath, ms: number): Moment {
  const cycle = Math.floor(Math.max(0, ms) / cycleMs);
  let within = Math.max(0, ms) - cycle * cycleMs;
  for (const part of PARTS) {
    const length = partMs[part];
    if (within < length) {
      const share = within / length;
      return { part, cycle, leftMs: length - within, share, fullness: FULLNESS[part](share) };
    }
    within -= length;
  }
  // Only rounding leads here: the breath is over to the last bit.
  return { part: "in", cycle: cycle + 1, leftMs: partMs.in, share: 0, fullness: 0 };
}
