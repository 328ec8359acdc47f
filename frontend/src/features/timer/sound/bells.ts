import { RATE } from "./wav";

/** One way in which a bell swings. */
interface Partial {
  /** Of the bell's frequency: a bell's partials are no whole multiples. */
  ratio: number;
  level: number;
  /** Seconds until it is 60 dB softer. */
  t60: number;
  /** Hz between the two tones that a bell, never quite round, has for each partial: they beat. */
  beat: number;
}

interface Bell {
  hz: number;
  partials: readonly Partial[];
  /** Seconds until it is as loud as it gets: a felt mallet takes longer than a metal one. */
  attack: number;
  /** The mallet's own noise: how loud, how bright (0 dull, 1 bright), and seconds until it is 60 dB softer. */
  strike: { level: number; bright: number; t60: number };
  /** Seconds until the bell is silent. */
  seconds: number;
}

const partial = (ratio: number, level: number, t60: number, beat: number): Partial => ({
  ratio,
  level,
  t60,
  beat,
});

/** Our own bells. The ratios are those of each kind of bell, as acoustics has measured them; frequencies, levels and decays are chosen by ear. */
const BELLS = {
  // A bowl of bronze, struck with felt: partials far apart, slow beats, a very long tail.
  bowl: {
    hz: 196,
    partials: [
      partial(1, 1, 22, 0.45),
      partial(2.71, 0.62, 15, 0.8),
      partial(5.04, 0.3, 9, 1.3),
      partial(7.86, 0.14, 5.5, 1.9),
      partial(11.1, 0.07, 3.2, 2.6),
      partial(14.7, 0.03, 1.8, 3.1),
    ],
    attack: 0.012,
    strike: { level: 0.1, bright: 0.08, t60: 0.09 },
    seconds: 18,
  },
  // A bell hung in a temple: hum, prime, a minor third, fifth and octave.
  temple: {
    hz: 294,
    partials: [
      partial(0.5, 0.55, 17, 0.3),
      partial(1, 0.8, 12, 0.5),
      partial(1.19, 0.7, 10, 0.7),
      partial(1.5, 0.32, 7, 0.9),
      partial(2, 0.75, 7.5, 0.6),
      partial(2.52, 0.24, 4.5, 1.4),
      partial(2.66, 0.2, 4, 1.2),
      partial(3.01, 0.3, 3.6, 1.6),
      partial(4.17, 0.18, 2.4, 2.1),
      partial(5.43, 0.1, 1.6, 2.7),
    ],
    attack: 0.005,
    strike: { level: 0.16, bright: 0.2, t60: 0.06 },
    seconds: 16,
  },
  // Two small cymbals that touch: high and bright, with quick beats.
  cymbals: {
    hz: 1180,
    partials: [
      partial(1, 0.9, 9, 4.2),
      partial(1.53, 0.34, 6, 5.1),
      partial(2.48, 0.6, 5, 3.4),
      partial(3.92, 0.26, 3, 6.3),
      partial(5.29, 0.14, 1.9, 7.2),
      partial(7.11, 0.07, 1.1, 8.4),
    ],
    attack: 0.002,
    strike: { level: 0.2, bright: 0.7, t60: 0.03 },
    seconds: 10,
  },
  // A bar of metal that lies free: the softest of them, and the shortest.
  chime: {
    hz: 523,
    partials: [
      partial(1, 1, 7.5, 0.35),
      partial(2.756, 0.4, 4.2, 0.9),
      partial(5.404, 0.18, 2.1, 1.5),
      partial(8.933, 0.07, 1, 2.2),
    ],
    attack: 0.006,
    strike: { level: 0.08, bright: 0.3, t60: 0.04 },
    seconds: 8,
  },
} as const satisfies Record<string, Bell>;

export type BellName = keyof typeof BELLS;
export const BELL_NAMES = Object.keys(BELLS) as readonly BellName[];

/** How long a bell is heard, in ms. */
export const soundMs = (name: BellName): number => BELLS[name].seconds * 1000;

/** The loudest sample of a bell, of 1: no two that overlap are cut off where they are rung seconds apart. */
const PEAK = 0.6;
/** The last seconds of a bell, in which what is left of it goes. */
const FADE_S = 1;

/** A factor that takes a sound 60 dB down in so many seconds, for each sample. */
const decayOf = (t60: number): number => 10 ** (-3 / (t60 * RATE));

/** Adds a tone that decays. It turns a pointer instead of asking for a sine at each sample, which a phone would take a second for. */
function addTone(sound: Float32Array, hz: number, level: number, t60: number): void {
  const decay = decayOf(t60);
  const turn = (2 * Math.PI * hz) / RATE;
  const [c, s] = [Math.cos(turn) * decay, Math.sin(turn) * decay];
  let [x, y] = [level, 0];
  for (let i = 0; i < sound.length; i++) {
    sound[i] = (sound[i] ?? 0) + y;
    [x, y] = [x * c - y * s, x * s + y * c];
  }
}

/** Adds the noise of the mallet: the same each time. */
function addStrike(sound: Float32Array, { level, bright, t60 }: Bell["strike"]): void {
  const decay = decayOf(t60);
  let seed = 1;
  let dull = 0;
  let loud = level;
  const length = Math.min(sound.length, 2 * t60 * RATE);
  for (let i = 0; i < length; i++) {
    seed = (seed * 48_271) % 2_147_483_647;
    dull += bright * ((seed / 2_147_483_647) * 2 - 1 - dull);
    sound[i] = (sound[i] ?? 0) + dull * loud;
    loud *= decay;
  }
}

/** Rises from nothing in the first moment, and goes to nothing in the last second. */
function shape(sound: Float32Array, attack: number): void {
  const rise = Math.round(attack * RATE);
  for (let i = 0; i < rise; i++) sound[i] = (sound[i] ?? 0) * Math.sin((Math.PI * i) / (2 * rise)) ** 2;
  const fall = FADE_S * RATE;
  const from = sound.length - fall;
  for (let i = 0; i < fall; i++) sound[from + i] = ((sound[from + i] ?? 0) * (fall - i)) / fall;
}

/** One stroke of a bell as samples of `RATE`, whose loudest is `PEAK`. */
export function ring(name: BellName): Float32Array {
  const { hz, partials, attack, strike, seconds }: Bell = BELLS[name];
  const sound = new Float32Array(seconds * RATE);
  for (const { ratio, level, t60, beat } of partials) {
    addTone(sound, hz * ratio - beat / 2, level * 0.58, t60);
    addTone(sound, hz * ratio + beat / 2, level * 0.42, t60);
  }
  addStrike(sound, strike);
  shape(sound, attack);
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return sound.map((sample) => (sample * PEAK) / loudest);
}
