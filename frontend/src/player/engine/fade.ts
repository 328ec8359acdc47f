/* The specification's fades: 20 steps each, drawn once on the audio clock, so that a tab in the background keeps them. */

const FADE_STEPS = 20;
/** In: 20 steps of 50 ms. */
export const FADE_IN_S = 1;
/** Out, when the voice has ended: 20 steps of 100 ms. */
export const FADE_OUT_S = 2;
/** Around a pause or a change of volume: short enough to be an answer, long enough not to click. */
export const FADE_SHORT_S = 0.2;

export interface Fade {
  from: number;
  to: number;
  /** Seconds on the audio clock. */
  start: number;
  seconds: number;
}

/** The fade's points: 20 equal steps from the first value to the last. */
export function fadeCurve(from: number, to: number): Float32Array<ArrayBuffer> {
  const curve = new Float32Array(FADE_STEPS + 1);
  for (let i = 0; i <= FADE_STEPS; i++) curve[i] = from + ((to - from) * i) / FADE_STEPS;
  return curve;
}

/** Level at a moment. Our own sum, because not every browser reports an automated gain. */
export function levelAt(fade: Fade, now: number): number {
  const t = fade.seconds === 0 ? 1 : (now - fade.start) / fade.seconds;
  return fade.from + (fade.to - fade.from) * Math.min(1, Math.max(0, t));
}
