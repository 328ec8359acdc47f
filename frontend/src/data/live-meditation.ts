import { Code, ConnectError } from "@connectrpc/connect";
import { jittered } from "@/lib/jitter";
import type { Meditation, Segment, WatchMeditationResponse } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";

/** How the page hears about a meditation. "lost" tries again by itself; "gone" will not. */
export type Link = "connecting" | "live" | "lost" | "offline" | "closed" | "gone";

export interface LiveState {
  id: string;
  /** null until the first answer. */
  meditation: Meditation | null;
  /** Narrated so far, in order, without gaps. */
  segments: readonly Segment[];
  link: Link;
  /** Why the link is "gone". */
  trouble: unknown;
}

/** What following a meditation needs from outside; tests give their own. */
export interface LivePorts {
  watch(id: string, fromSegment: number, signal: AbortSignal): AsyncIterable<WatchMeditationResponse>;
  online(): boolean;
  /** Resolves after `ms`, or at once when the network returns or `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** A number drawn at random, 0 to 1. */
  draw(): number;
  /** Runs `run` after `ms`; the function it returns cancels it. */
  timeout(ms: number, run: () => void): () => void;
  /** Called with every message, for what else it carries: a new balance. */
  received(message: WatchMeditationResponse): void;
  /** The work ended while it was being followed. */
  ended(meditation: Meditation): void;
}

/** True when the work on a meditation is over, well or not: the contract's stages after it begin with that. */
export const hasEnded = (stage: Stage): boolean => stage >= Stage.READY;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** How many connections in a row may bring nothing: after about ten minutes the link is "gone". */
export const MOST_FAILURES = 60;
/** The server repeats itself every 15 s; a stream that is silent for three of those is dead. */
const SILENCE_MS = 45_000;
/** Codes that asking again cannot change. */
const FINAL = new Set([Code.NotFound, Code.PermissionDenied, Code.Unauthenticated, Code.InvalidArgument]);

/**
 * One meditation as the server tells it, followed while anybody looks: reconnects by itself, asks only for
 * the segments it does not have, and stops when the work has ended or the server stays away.
 */
export class LiveMeditation {
  readonly #ports: LivePorts;
  readonly #listeners = new Set<() => void>();
  #state: LiveState;
  #abort: AbortController | null = null;

  constructor(id: string, ports: LivePorts) {
    this.#ports = ports;
    this.#state = { id, meditation: null, segments: [], link: "connecting", trouble: null };
  }

  /** Whether anybody looks. */
  get followed(): boolean {
    return this.#listeners.size > 0;
  }

  state = (): LiveState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  /** Takes an answer that came by another way: the call that made or cancelled it. */
  take(meditation: Meditation): void {
    this.#set({ meditation });
  }

  /** Asks again after "gone". */
  retry = (): void => {
    this.#stop();
    this.#set({ link: "connecting", trouble: null });
    this.#follow();
  };

  #stop(): void {
    this.#abort?.abort();
    this.#abort = null;
  }

  #follow(): void {
    if (this.#abort || this.#state.link === "closed" || this.#listeners.size === 0) return;
    this.#abort = new AbortController();
    void this.#connectUntilEnded(this.#abort.signal);
  }

  async #connectUntilEnded(signal: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    let failures = 0;
    while (!signal.aborted && this.#state.link !== "closed") {
      let trouble: unknown = new ConnectError("", Code.Unavailable);
      try {
        for await (const message of this.#connect(signal)) {
          if (signal.aborted) return;
          waitMs = FIRST_WAIT_MS;
          failures = 0;
          this.#onMessage(message);
        }
      } catch (cause) {
        if (signal.aborted) return;
        if (FINAL.has(ConnectError.from(cause).code)) return this.#set({ link: "gone", trouble: cause });
        trouble = cause;
      }
      if (signal.aborted || this.#isClosed()) return;
      const online = this.#ports.online();
      // Without a line nothing reaches the server: such tries cost it nothing, and the line's return ends the wait.
      if (online && ++failures >= MOST_FAILURES) return this.#set({ link: "gone", trouble });
      this.#set({ link: online ? "lost" : "offline" });
      await this.#ports.wait(jittered(waitMs, this.#ports.draw()), signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  /** One connection; given up when it falls silent. */
  async *#connect(signal: AbortSignal): AsyncIterable<WatchMeditationResponse> {
    const { id, segments } = this.#state;
    const silent = new AbortController();
    const startTimer = () => this.#ports.timeout(SILENCE_MS, () => silent.abort());
    let stopTimer = startTimer();
    try {
      for await (const message of this.#ports.watch(
        id,
        segments.length,
        AbortSignal.any([signal, silent.signal]),
      )) {
        stopTimer();
        stopTimer = startTimer();
        yield message;
      }
    } finally {
      stopTimer();
    }
  }

  #isClosed(): boolean {
    return this.#state.link === "closed";
  }

  #onMessage(message: WatchMeditationResponse): void {
    const { meditation, newSegments } = message;
    const before = this.#state.meditation;
    const segments = [...this.#state.segments];
    for (const segment of newSegments) if (segment.index === segments.length) segments.push(segment);
    const ended = meditation !== undefined && hasEnded(meditation.stage);
    this.#set({ meditation: meditation ?? before, segments, link: ended ? "closed" : "live", trouble: null });
    this.#ports.received(message);
    if (ended && before && !hasEnded(before.stage)) this.#ports.ended(meditation);
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
