import { jittered } from "@/lib/jitter";
import { FADE_IN_S, FADE_SHORT_S } from "./fade";
import { LoopSource } from "./loop-source";
import type { AmbienceState, Loop, Ports } from "./types";

const DEFAULT_VOLUME = 0.45;
/** Milliseconds from a failed download to the next try, before jitter. */
export const RETRY_MS = 5000;
/** Downloads in a row that may fail; after the last one the listener or the page's return brings the next. */
export const MOST_FAILURES = 60;
/** The longest that a download of a minute of sound takes (ms); then it is tried again. */
const DOWNLOAD_MS = 60_000;

/*
 * The looping sound around the voice. Every start and stop takes a new attempt number; a download or decoding
 * that finishes late compares its own number and does nothing if there is a newer one.
 */
export class Ambience {
  readonly #ports: Ports;
  readonly #changed: () => void;
  readonly #buffers = new Map<string, Promise<AudioBuffer>>();
  #context: AudioContext | null = null;
  #source: LoopSource | null = null;
  #offset = 0;
  #wanted = false;
  #attempt = 0;
  /** Downloads that failed since the listener started the sound. */
  #failures = 0;
  /** How much of the chosen volume is heard, 0 to 1. */
  #level = 1;
  loop: Loop | null = null;
  volume = DEFAULT_VOLUME;
  state: AmbienceState = "off";

  constructor(ports: Ports, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  /** Creates the audio context, silent until `unlock`: it takes a tenth of a second, which no press should wait for. */
  prepare(): void {
    this.#openContext();
  }

  /** Call in a user gesture: an audio context resumed there may start by itself later. */
  unlock(): void {
    const context = this.#openContext();
    if (context && context.state !== "running") void context.resume().catch(() => undefined);
  }

  setLoop(loop: Loop | null): void {
    if (loop?.id === this.loop?.id) return;
    this.loop = loop;
    this.#stopLoop(FADE_SHORT_S);
    this.#offset = 0;
    if (this.#wanted) void this.#startLoop();
  }

  setVolume(volume: number): void {
    this.volume = volume;
    this.#source?.fadeTo(volume * this.#level, FADE_SHORT_S);
  }

  /** Takes that much of the chosen volume, 0 to 1, over `seconds`. */
  setLevel(level: number, seconds: number): void {
    if (level === this.#level) return;
    this.#level = level;
    this.#source?.fadeTo(this.volume * level, seconds);
  }

  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    void this.#startLoop();
  }

  /** Fades out over `seconds` and keeps the position for the next start. */
  stop(seconds: number): void {
    this.#wanted = false;
    this.#stopLoop(seconds);
  }

  rewind(): void {
    this.#offset = 0;
  }

  /** Resumes a context that the browser or the system suspended. */
  resume(): void {
    if (!this.#wanted || !this.#context) return;
    this.unlock();
    if (this.#failures < MOST_FAILURES) return;
    this.#failures = 0;
    void this.#startLoop();
  }

  dispose(): void {
    this.stop(FADE_SHORT_S);
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  #stopLoop(seconds: number): void {
    this.#attempt++;
    this.#failures = 0;
    if (this.#source) {
      this.#offset = this.#source.offset();
      this.#source.stop(seconds);
      this.#source = null;
    }
    this.#enter("off");
  }

  async #startLoop(): Promise<void> {
    const loop = this.loop;
    if (!loop) return;
    const attempt = ++this.#attempt;
    this.unlock();
    const context = this.#context;
    if (!context) return this.#enter("unavailable");
    if (this.state === "off") this.#enter("loading"); // later tries stay "unavailable"
    try {
      const buffer = await this.#decode(context, loop.url);
      if (attempt !== this.#attempt) return;
      this.#source = new LoopSource(context, buffer, loop, this.#offset);
      this.#source.fadeTo(this.volume * this.#level, FADE_IN_S);
      this.#enter("on");
    } catch {
      this.#buffers.delete(loop.url);
      if (attempt === this.#attempt) this.#retry(attempt);
    }
  }

  #retry(attempt: number): void {
    this.#enter("unavailable");
    if (++this.#failures >= MOST_FAILURES) return;
    this.#ports.setTimeout(
      () => {
        if (attempt === this.#attempt) void this.#startLoop();
      },
      jittered(RETRY_MS, this.#ports.draw()),
    );
  }

  #decode(context: AudioContext, url: string): Promise<AudioBuffer> {
    const cached = this.#buffers.get(url);
    if (cached) return cached;
    const buffer = this.#ports.fetch(url, AbortSignal.timeout(DOWNLOAD_MS)).then(async (answer) => {
      if (!answer.ok) throw new Error(`the ambience answered ${answer.status}`);
      return context.decodeAudioData(await answer.arrayBuffer());
    });
    this.#buffers.set(url, buffer);
    return buffer;
  }

  /** Null where there is no Web Audio: the voice goes on without it. */
  #openContext(): AudioContext | null {
    if (this.#context) return this.#context;
    try {
      const context = this.#ports.createContext();
      context.addEventListener("statechange", () => {
        if (context.state !== "closed" && context.state !== "running") this.resume();
      });
      this.#context = context;
    } catch {
      this.#context = null;
    }
    return this.#context;
  }

  #enter(state: AmbienceState): void {
    if (state === this.state) return;
    this.state = state;
    this.#changed();
  }
}
