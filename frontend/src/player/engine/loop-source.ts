import { type Fade, fadeCurve, levelAt } from "./fade";
import type { Loop } from "./types";

/*
 * One looping buffer source with its own gain node, so that the fade-out of an old sound cannot change
 * the level of a newer one.
 */
export class LoopSource {
  readonly #context: BaseAudioContext;
  readonly #source: AudioBufferSourceNode;
  readonly #gain: GainNode;
  readonly #lengthS: number;
  readonly #startedAt: number;
  readonly #offsetS: number;
  #fade: Fade;

  /** `offsetS`: seconds into the loop where it starts. */
  constructor(context: BaseAudioContext, buffer: AudioBuffer, loop: Loop, offsetS: number) {
    this.#context = context;
    this.#lengthS = loop.lengthMs / 1000;
    this.#startedAt = context.currentTime;
    this.#offsetS = offsetS;
    this.#fade = { from: 0, to: 0, start: context.currentTime, seconds: 0 };
    this.#gain = context.createGain();
    this.#gain.gain.value = 0;
    this.#gain.connect(context.destination);
    this.#source = context.createBufferSource();
    this.#source.buffer = buffer;
    this.#source.loop = true;
    this.#source.loopStart = loop.startMs / 1000;
    this.#source.loopEnd = (loop.startMs + loop.lengthMs) / 1000;
    this.#source.connect(this.#gain);
    this.#source.addEventListener("ended", () => this.#gain.disconnect());
    this.#source.start(0, this.#source.loopStart + offsetS);
  }

  /** Current position in the loop, in seconds. */
  offset(): number {
    const run = this.#offsetS + this.#context.currentTime - this.#startedAt;
    return this.#lengthS > 0 ? run % this.#lengthS : 0;
  }

  fadeTo(level: number, seconds: number): void {
    const now = this.#context.currentTime;
    const from = levelAt(this.#fade, now);
    this.#fade = { from, to: level, start: now, seconds };
    this.#gain.gain.cancelScheduledValues(now);
    this.#gain.gain.setValueCurveAtTime(fadeCurve(from, level), now, seconds);
  }

  /** Fades out over `seconds`, then stops; it cannot be started again. */
  stop(seconds: number): void {
    this.fadeTo(0, seconds);
    this.#source.stop(this.#context.currentTime + seconds);
  }
}
