import { FADE_IN_S, FADE_SHORT_S } from "./fade";
import { Strip } from "./strip";
import type { AmbienceState, Loop, Ports } from "./types";

const DEFAULT_VOLUME = 0.45;
/** How long after a download that failed the next one begins, in milliseconds. */
export const AGAIN_MS = 5000;

/*
 * The sound around the voice. Every transition takes a new turn; a download or decoding that
 * finishes late looks at the turn and leaves a newer state alone.
 */
export class Ambience {
  readonly #ports: Ports;
  readonly #changed: () => void;
  readonly #buffers = new Map<string, Promise<AudioBuffer>>();
  #context: AudioContext | null = null;
  #strip: Strip | null = null;
  #offset = 0;
  #wanted = false;
  #turn = 0;
  loop: Loop | null = null;
  volume = DEFAULT_VOLUME;
  state: AmbienceState = "off";

  constructor(ports: Ports, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  /** Inside a press: a context made here may sound later by itself. */
  prime(): void {
    const context = this.#open();
    if (context && context.state !== "running") void context.resume().catch(() => undefined);
  }

  setLoop(loop: Loop | null): void {
    if (loop?.id === this.loop?.id) return;
    this.loop = loop;
    this.#end(FADE_SHORT_S);
    this.#offset = 0;
    if (this.#wanted) void this.#begin();
  }

  setVolume(volume: number): void {
    this.volume = volume;
    this.#strip?.fadeTo(volume, FADE_SHORT_S);
  }

  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    void this.#begin();
  }

  /** Fades out over `seconds` and remembers where it was. */
  stop(seconds: number): void {
    this.#wanted = false;
    this.#end(seconds);
  }

  rewind(): void {
    this.#offset = 0;
  }

  /** The page came back, or the system gave the sound back. */
  wake(): void {
    if (this.#wanted && this.#context) this.prime();
  }

  dispose(): void {
    this.stop(FADE_SHORT_S);
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  #end(seconds: number): void {
    this.#turn++;
    if (this.#strip) {
      this.#offset = this.#strip.offset();
      this.#strip.end(seconds);
      this.#strip = null;
    }
    this.#enter("off");
  }

  async #begin(): Promise<void> {
    const loop = this.loop;
    if (!loop) return;
    const turn = ++this.#turn;
    this.prime();
    const context = this.#context;
    if (!context) return this.#enter("unavailable");
    if (this.state === "off") this.#enter("loading"); // a further try is not announced
    try {
      const buffer = await this.#decode(context, loop.url);
      if (turn !== this.#turn) return;
      this.#strip = new Strip(context, buffer, loop, this.#offset);
      this.#strip.fadeTo(this.volume, FADE_IN_S);
      this.#enter("on");
    } catch {
      this.#buffers.delete(loop.url);
      if (turn === this.#turn) this.#retry(turn);
    }
  }

  #retry(turn: number): void {
    this.#enter("unavailable");
    this.#ports.setTimeout(() => {
      if (turn === this.#turn) void this.#begin();
    }, AGAIN_MS);
  }

  #decode(context: AudioContext, url: string): Promise<AudioBuffer> {
    const known = this.#buffers.get(url);
    if (known) return known;
    const buffer = this.#ports.fetch(url).then(async (answer) => {
      if (!answer.ok) throw new Error(`the ambience answered ${answer.status}`);
      return context.decodeAudioData(await answer.arrayBuffer());
    });
    this.#buffers.set(url, buffer);
    return buffer;
  }

  /** Null where there is no Web Audio: the voice goes on without it. */
  #open(): AudioContext | null {
    if (this.#context) return this.#context;
    try {
      const context = this.#ports.createContext();
      context.addEventListener("statechange", () => {
        if (context.state !== "closed" && context.state !== "running") this.wake();
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
