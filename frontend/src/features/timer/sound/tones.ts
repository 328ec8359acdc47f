import { RATE, samplesIn } from "./wav";

/** Two tones that swell and go in one part of a breath. */
interface Swell {
  hz: readonly [number, number];
  /** Where it is loudest, of the part's length. */
  crest: number;
}

/** In rises towards its end, out begins full and goes: the ear follows without words. Holds are silent. */
const IN: Swell = { hz: [220, 330], crest: 0.72 };
const OUT: Swell = { hz: [165, 247.5], crest: 0.18 };
const LEVEL = 0.22;

/** Loudness at a share (0 to 1) of the part: from nothing up to the crest and down to nothing. */
const swellAt = (share: number, crest: number): number =>
  Math.sin((Math.PI / 2) * (share < crest ? share / crest : (1 - share) / (1 - crest))) ** 2;

/** The soft tone of one part of a breath; silence for a part that is held. */
export function tone(part: "in" | "out", ms: number): Float32Array {
  const { hz, crest } = part === "in" ? IN : OUT;
  const length = samplesIn(ms);
  return Float32Array.from({ length }, (_, i) => {
    const [low, high] = hz.map((each) => Math.sin((2 * Math.PI * each * i) / RATE)) as [number, number];
    return LEVEL * swellAt(i / length, crest) * (0.65 * low + 0.35 * high);
  });
}
