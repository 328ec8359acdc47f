import { bytesOf, bytesOfSound, pcmOf, RATE, samplesIn, wavOf } from "./wav";

/** A sound and when it begins, in ms from the track's beginning. */
export interface Placed {
  atMs: number;
  sound: Float32Array;
}

/**
 * What lies under everything: a tone too low and too soft to be heard. Chromium takes a tab whose sound is below -72 dB for a silent
 * one, which it may put to sleep; this one has -57 dB. An ear needs 60 dB of sound pressure to hear 30 Hz, and gets half of that from it where the bells are loud.
 */
const HUM_HZ = 30;
const HUM_LEVEL = 0.002;
/** After so many samples the hum begins again. Half a second has a whole number of them. */
const HUM_PERIOD = RATE / HUM_HZ;
/** Seconds of hum that are kept to make all silences of. */
const HUM_S = 60;

/** The same bytes again and again, `length` of them. */
function repeated(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  for (let at = 0; at < length; at += bytes.length) all.set(bytes, at);
  return all;
}

/** Silence for any place of a track. It is made once; what is asked for consists of parts of it, which take no memory. */
export class Silence {
  readonly #hum = Float32Array.from(
    { length: HUM_PERIOD },
    (_, i) => HUM_LEVEL * Math.sin((2 * Math.PI * i) / HUM_PERIOD),
  );
  readonly #minute = new Blob([repeated(bytesOfSound(this.#hum), bytesOf(HUM_S * RATE))]);

  /** A sound as it stands in the track from sample `at` on, with the hum beneath it. */
  over(sound: Float32Array, at: number): Blob {
    return pcmOf(sound.map((sample, i) => sample + (this.#hum[(at + i) % HUM_PERIOD] ?? 0)));
  }

  /** `samples` of silence from the track's sample `from` on. */
  parts(from: number, samples: number): Blob[] {
    const parts: Blob[] = [];
    for (let at = from; at < from + samples;) {
      const phase = at % HUM_PERIOD;
      const length = Math.min(from + samples - at, HUM_S * RATE - phase);
      parts.push(this.#minute.slice(bytesOf(phase), bytesOf(phase + length)));
      at += length;
    }
    return parts;
  }
}

interface Cluster {
  at: number;
  sound: Float32Array;
}

/** Mixes sounds that overlap: what comes out stands one after another. */
function clustersOf(placed: readonly Placed[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const { atMs, sound } of placed.toSorted((a, b) => a.atMs - b.atMs)) {
    const at = samplesIn(atMs);
    const before = clusters.at(-1);
    if (!before || before.at + before.sound.length <= at) {
      clusters.push({ at, sound });
      continue;
    }
    const mixed = new Float32Array(Math.max(before.sound.length, at - before.at + sound.length));
    mixed.set(before.sound);
    sound.forEach((sample, i) => (mixed[at - before.at + i] = (mixed[at - before.at + i] ?? 0) + sample));
    before.sound = mixed;
  }
  return clusters;
}

/** A stretch of a track that is `lengthMs` long and begins at `fromMs`: its sounds, whose times count from the track's beginning, and silence around them. */
export function stretch(
  silence: Silence,
  { fromMs, lengthMs }: { fromMs: number; lengthMs: number },
  placed: readonly Placed[],
): Blob[] {
  const end = samplesIn(fromMs + lengthMs);
  const parts: Blob[] = [];
  let at = samplesIn(fromMs);
  // The same stroke at the same phase of the hum is the same part.
  const made = new Map<Float32Array, Map<number, Blob>>();
  for (const { at: begins, sound } of clustersOf(placed)) {
    const whole = sound.subarray(0, end - begins);
    const phase = begins % HUM_PERIOD;
    const known = made.get(sound) ?? new Map<number, Blob>();
    made.set(sound, known);
    const part = (whole.length === sound.length && known.get(phase)) || silence.over(whole, begins);
    if (whole.length === sound.length) known.set(phase, part);
    parts.push(...silence.parts(at, begins - at), part);
    at = begins + whole.length;
  }
  parts.push(...silence.parts(at, end - at));
  return parts;
}

/** Stretches that follow each other, as a file. */
export const trackOf = (stretches: readonly (readonly Blob[])[]): Blob => wavOf(stretches.flat());
