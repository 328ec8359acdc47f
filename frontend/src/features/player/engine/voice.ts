import { Shelf } from "./shelf";
import { silence } from "./silence";
import { clampSeek, locate, readyMs } from "./timeline";
import type { Passage, PlayerState, Ports, Recording } from "./types";

const DEFAULT_VOLUME = 0.8;

type Source = { kind: "whole" } | { kind: "passage"; passage: Passage };

/*
 * The voice: one plain audio element, never routed through Web Audio, so that it goes on behind a
 * locked screen. Two sources share one timeline: the passages as they are narrated, one after
 * another, and the whole file once it exists. States follow the element's own events.
 */
export class Voice {
  readonly #ports: Ports;
  readonly #changed: () => void;
  readonly #audio: HTMLAudioElement;
  readonly #shelf: Shelf;
  #recording: Recording | null = null;
  #source: Source | null = null;
  /** The source's start on the timeline, and a place in it that waits for its metadata; milliseconds. */
  #base = 0;
  #pending: number | null = null;
  /** Where the head stands while no source can say so. */
  #head = 0;
  /** At the end of what is narrated; goes on by itself. */
  #starved = false;
  #fresh = false;
  #primer: string | null = null;
  #dispose: () => void;
  state: PlayerState = "idle";
  wanted = false;
  blocked = false;

  constructor(ports: Ports, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
    this.#shelf = new Shelf(ports);
    this.#audio = ports.createAudio();
    this.#audio.preload = "auto";
    this.#audio.volume = DEFAULT_VOLUME;
    this.#dispose = this.#listen();
  }

  get recording(): Recording | null {
    return this.#recording;
  }

  get volume(): number {
    return this.#audio.volume;
  }

  setVolume(volume: number): void {
    this.#audio.volume = volume;
  }

  /** Milliseconds on the recording's timeline. */
  position(): number {
    if (!this.#source || this.#pending !== null || this.#starved) return this.#head;
    const at = this.#base + this.#audio.currentTime * 1000;
    return Math.min(at, this.#recording ? readyMs(this.#recording) : at);
  }

  load(recording: Recording): void {
    if (recording.id === this.#recording?.id) return this.#grow(recording);
    this.unload();
    this.#recording = recording;
    this.#enter("loading");
    this.place(0);
  }

  /** Inside a press: an element that has played once may play again by itself. */
  prime(): void {
    if (this.#source || this.#primer) return;
    this.#primer = this.#ports.createObjectURL(silence());
    this.#audio.src = this.#primer;
    void this.#audio.play().catch(() => undefined);
  }

  play(): void {
    if (!this.#recording) return;
    this.wanted = true;
    this.blocked = false;
    if (this.state === "failed") {
      this.#source = null;
      this.#enter("loading");
      this.place(this.#head);
    } else if (this.#source) this.#start();
    this.#changed();
  }

  pause(): void {
    this.wanted = false;
    const silent = this.#audio.paused;
    this.#audio.pause();
    // No event comes from an element that was not playing, so the state is said here.
    if (silent && (this.state === "playing" || this.state === "buffering")) this.#rest();
    this.#changed();
  }

  /** Moves the head, on the best source there is. */
  place(positionMs: number): void {
    const recording = this.#recording;
    if (!recording) return;
    this.#head = clampSeek(recording, positionMs);
    this.#starved = false;
    if (recording.url !== undefined) {
      this.#put({ kind: "whole" }, recording.url, 0);
    } else {
      const place = locate(recording.passages, this.#head);
      if (place)
        this.#put({ kind: "passage", passage: place.passage }, place.passage.url, place.passage.startMs);
      else this.#starved = true;
    }
    this.#changed();
  }

  /** To the start, at rest. */
  reset(): void {
    this.pause();
    this.#fresh = true;
    this.place(0);
  }

  unload(): void {
    this.wanted = false;
    this.blocked = false;
    this.#recording = null;
    this.#forget();
    this.#shelf.clear();
    this.#head = 0;
    this.#enter("idle");
  }

  dispose(): void {
    this.unload();
    this.#dispose();
  }

  #grow(recording: Recording): void {
    const starved = this.#starved;
    const position = this.position();
    this.#recording = recording;
    if (starved) this.#feed(recording, position);
    else if (!this.wanted && this.#restsOnPassages() && recording.url !== undefined) this.place(position);
    else this.#fetchNext();
    this.#changed();
  }

  /** The recording grew while the head stood at its end. */
  #feed(recording: Recording, position: number): void {
    if (readyMs(recording) > position) this.place(position);
    else if (recording.complete && recording.passages.length > 0) this.#finish();
  }

  #restsOnPassages(): boolean {
    return this.#source?.kind === "passage" && (this.state === "paused" || this.state === "ready");
  }

  #put(source: Source, url: string, base: number): void {
    const offset = this.#head - base;
    if (this.#same(source)) {
      if (this.#pending === null) this.#audio.currentTime = offset / 1000;
      else this.#pending = offset;
      if (this.wanted) this.#start();
      return;
    }
    this.#open(source, source.kind === "passage" ? this.#shelf.take(url) : url, base, offset);
  }

  #same(source: Source): boolean {
    if (source.kind === "whole" || this.#source?.kind !== "passage")
      return source.kind === this.#source?.kind;
    return source.passage.index === this.#source.passage.index;
  }

  #open(source: Source, url: string, base: number, offset: number): void {
    this.#source = source;
    this.#base = base;
    this.#pending = offset;
    this.#endPriming();
    this.#audio.src = url;
    if (this.wanted) this.#start();
    this.#fetchNext();
  }

  #start(): void {
    const started = this.#audio.play();
    started.catch((error: unknown) => {
      // AbortError only says that a newer source or pause came first.
      if (!(error instanceof Error) || error.name !== "NotAllowedError") return;
      this.wanted = false;
      this.blocked = true;
      this.#changed();
    });
  }

  #next(): Passage | undefined {
    const source = this.#source;
    if (source?.kind !== "passage") return undefined;
    return this.#recording?.passages.find((p) => p.index === source.passage.index + 1);
  }

  #fetchNext(): void {
    const next = this.#next();
    if (next) this.#shelf.fetchAhead(next.url);
  }

  #listen(): () => void {
    const audio = this.#audio;
    const on: [string, () => void][] = [
      ["loadedmetadata", () => this.#arrive()],
      ["canplay", () => this.#readied()],
      ["seeked", () => this.#readied()],
      ["playing", () => this.#source && this.#enter("playing")],
      ["waiting", () => this.#source && this.wanted && this.#enter("buffering")],
      ["pause", () => this.#paused()],
      ["ended", () => this.#ended()],
      ["error", () => this.#failed()],
    ];
    for (const [name, handle] of on) audio.addEventListener(name, handle);
    return () => {
      for (const [name, handle] of on) audio.removeEventListener(name, handle);
    };
  }

  #arrive(): void {
    if (this.#pending === null || !this.#source) return;
    if (this.#pending > 0) this.#audio.currentTime = this.#pending / 1000;
    this.#pending = null;
  }

  #readied(): void {
    if (!this.#source) return;
    if (this.state === "loading" || (this.#fresh && !this.wanted)) this.#enter("ready");
    else if (this.state === "ended" && !this.wanted && !this.#starved) this.#enter("paused");
    this.#fresh = false;
  }

  #paused(): void {
    // An element also pauses as it ends, or between two sources; those are told elsewhere.
    if (!this.#source || this.#audio.ended || (this.wanted && this.#pending !== null)) return;
    this.wanted = false;
    this.#rest();
  }

  /** At rest between presses, a recording that is whole by now is taken from its file. */
  #rest(): void {
    this.#enter("paused");
    if (this.#source?.kind === "passage" && this.#recording?.url !== undefined) this.place(this.position());
  }

  #ended(): void {
    const source = this.#source;
    if (!source || !this.#recording) return;
    if (source.kind === "whole") return this.#finish();
    this.#head = source.passage.startMs + source.passage.durationMs;
    const next = this.#next();
    if (next) {
      this.#head = next.startMs;
      this.#open({ kind: "passage", passage: next }, this.#shelf.take(next.url), next.startMs, 0);
    } else if (this.#recording.complete) {
      this.#finish();
    } else {
      this.#starved = true;
      if (this.wanted) this.#enter("buffering");
    }
  }

  #finish(): void {
    this.wanted = false;
    this.#head = this.#recording ? readyMs(this.#recording) : 0;
    this.#starved = true;
    this.#enter("ended");
  }

  #failed(): void {
    if (!this.#source) return;
    const stored = this.#audio.src.startsWith("blob:");
    const whole = this.#source.kind === "passage" && this.#recording?.url !== undefined;
    this.#head = this.position();
    if (stored) this.#shelf.refuse();
    if (stored || whole) {
      // There is another way to the same sound: the passage's address, or the file.
      this.#source = null;
      return this.place(this.#head);
    }
    this.wanted = false;
    this.#enter("failed");
  }

  #forget(): void {
    this.#source = null;
    this.#pending = null;
    this.#starved = false;
    this.#fresh = false;
    this.#endPriming();
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#audio.load();
  }

  #endPriming(): void {
    if (this.#primer) this.#ports.revokeObjectURL(this.#primer);
    this.#primer = null;
  }

  #enter(state: PlayerState): void {
    if (state === this.state) return;
    this.state = state;
    this.#changed();
  }
}
