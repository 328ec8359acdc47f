import { PassageCache } from "./passage-cache";
import { silentClip } from "./silent-clip";
import { clampSeek, locate, readyMs } from "./timeline";
import type { Passage, PlayerState, Ports, Recording } from "./types";

const DEFAULT_VOLUME = 0.8;
/** From here on an element that waited has gone on, and does not only round its place; seconds. */
const RUNS_S = 0.5;

/** Safari's name of `preservesPitch` before 17. */
type PitchedAudio = HTMLAudioElement & { webkitPreservesPitch?: boolean };

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
  readonly #cache: PassageCache;
  #recording: Recording | null = null;
  #source: Source | null = null;
  /** The source's start on the recording's timeline; milliseconds. */
  #sourceStartMs = 0;
  /** A seek in the source that waits for its metadata; milliseconds. */
  #pendingSeekMs: number | null = null;
  /** The position while the element cannot tell it; milliseconds. */
  #positionMs = 0;
  /** Buffer underrun: at the end of what is narrated, waiting for the next passage. */
  #starved = false;
  #resetting = false;
  /** Where the element stood when it last waited or was sought in; seconds. */
  #stoodAtS = 0;
  #unlockUrl: string | null = null;
  /** What the listener has chosen; the sleep timer takes from it. */
  #level = 1;
  volume = DEFAULT_VOLUME;
  /** It failed while sound was wanted. */
  interrupted = false;
  #removeListeners: () => void;
  state: PlayerState = "idle";
  wanted = false;
  blocked = false;

  constructor(ports: Ports, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
    this.#cache = new PassageCache(ports);
    this.#audio = ports.createAudio();
    this.#audio.preload = "auto";
    this.#audio.volume = DEFAULT_VOLUME;
    this.#removeListeners = this.#addListeners();
  }

  get recording(): Recording | null {
    return this.#recording;
  }

  setVolume(volume: number): void {
    this.volume = volume;
    this.#audio.volume = volume * this.#level;
  }

  /** How much of the chosen volume is heard, 0 to 1. */
  setLevel(level: number): void {
    if (level === this.#level) return;
    this.#level = level;
    this.setVolume(this.volume);
  }

  get rate(): number {
    return this.#audio.playbackRate;
  }

  setRate(rate: number): void {
    const audio: PitchedAudio = this.#audio;
    audio.preservesPitch = true;
    if ("webkitPreservesPitch" in audio) audio.webkitPreservesPitch = true;
    // A new source begins at the default.
    audio.defaultPlaybackRate = rate;
    audio.playbackRate = rate;
  }

  /** Milliseconds on the recording's timeline. */
  position(): number {
    if (!this.#source || this.#pendingSeekMs !== null || this.#starved) return this.#positionMs;
    const at = this.#sourceStartMs + this.#audio.currentTime * 1000;
    return Math.min(at, this.#recording ? readyMs(this.#recording) : at);
  }

  load(recording: Recording): void {
    if (recording.id === this.#recording?.id) return this.#extend(recording);
    this.unload();
    this.#recording = recording;
    this.#enter("loading");
    this.moveTo(0);
  }

  /** Call in a user gesture: an element that has played once may play again by itself. */
  unlock(): void {
    if (this.#source || this.#unlockUrl) return;
    this.#unlockUrl = this.#ports.createObjectURL(silentClip());
    this.#audio.src = this.#unlockUrl;
    void this.#audio.play().catch(() => undefined);
  }

  play(): void {
    if (!this.#recording) return;
    this.wanted = true;
    this.blocked = false;
    this.interrupted = false;
    if (this.state === "failed") {
      this.#source = null;
      this.#enter("loading");
      this.moveTo(this.#positionMs);
    } else if (this.#source) this.#start();
    this.#changed();
  }

  pause(): void {
    this.wanted = false;
    this.interrupted = false;
    const silent = this.#audio.paused;
    this.#audio.pause();
    // An element that was not playing sends no pause event.
    if (silent && (this.state === "playing" || this.state === "buffering")) this.#enterPaused();
    this.#changed();
  }

  /** Seeks, on the best source there is: the whole file, else the passage at that position. */
  moveTo(positionMs: number): void {
    const recording = this.#recording;
    if (!recording) return;
    this.#positionMs = clampSeek(recording, positionMs);
    this.#starved = false;
    if (recording.url !== undefined) {
      this.#setSource({ kind: "whole" }, recording.url, 0);
    } else {
      const place = locate(recording.passages, this.#positionMs);
      if (place)
        this.#setSource(
          { kind: "passage", passage: place.passage },
          place.passage.url,
          place.passage.startMs,
        );
      else this.#starved = true;
    }
    this.#changed();
  }

  /** Asks for the source once more, where it stands: what the network has held up comes by itself no more. */
  reopen(): void {
    if (!this.#source || this.#starved) return;
    const position = this.position();
    this.#source = null;
    this.moveTo(position);
  }

  /** Stops at the start. */
  reset(): void {
    this.pause();
    this.#resetting = true;
    this.moveTo(0);
  }

  unload(): void {
    this.wanted = false;
    this.blocked = false;
    this.interrupted = false;
    this.#recording = null;
    this.#clearSource();
    this.#cache.clear();
    this.#positionMs = 0;
    this.#enter("idle");
  }

  dispose(): void {
    this.unload();
    this.#removeListeners();
  }

  #extend(recording: Recording): void {
    const starved = this.#starved;
    const position = this.position();
    this.#recording = recording;
    if (starved) this.#resumeStarved(recording, position);
    else if (!this.wanted && this.#idleOnPassage() && recording.url !== undefined) this.moveTo(position);
    else this.#prefetchNext();
    this.#changed();
  }

  /** The recording grew during a buffer underrun. */
  #resumeStarved(recording: Recording, position: number): void {
    if (readyMs(recording) > position) this.moveTo(position);
    else if (recording.complete && recording.passages.length > 0) this.#finish();
  }

  #idleOnPassage(): boolean {
    return this.#source?.kind === "passage" && (this.state === "paused" || this.state === "ready");
  }

  #setSource(source: Source, url: string, base: number): void {
    const offset = this.#positionMs - base;
    if (this.#isCurrent(source)) {
      if (this.#pendingSeekMs === null) this.#audio.currentTime = offset / 1000;
      else this.#pendingSeekMs = offset;
      if (this.wanted) this.#start();
      return;
    }
    this.#openSource(source, source.kind === "passage" ? this.#cache.sourceFor(url) : url, base, offset);
  }

  #isCurrent(source: Source): boolean {
    if (source.kind === "whole" || this.#source?.kind !== "passage")
      return source.kind === this.#source?.kind;
    return source.passage.index === this.#source.passage.index;
  }

  #openSource(source: Source, url: string, base: number, offset: number): void {
    this.#source = source;
    this.#sourceStartMs = base;
    this.#pendingSeekMs = offset;
    this.#endUnlock();
    this.#audio.src = url;
    if (this.wanted) this.#start();
    this.#prefetchNext();
  }

  #start(): void {
    const started = this.#audio.play();
    started.catch((error: unknown) => {
      // An AbortError means that a newer source or a pause came first.
      if (!(error instanceof Error) || error.name !== "NotAllowedError") return;
      this.wanted = false;
      this.blocked = true;
      this.#changed();
    });
  }

  #nextPassage(): Passage | undefined {
    const source = this.#source;
    if (source?.kind !== "passage") return undefined;
    return this.#recording?.passages.find((p) => p.index === source.passage.index + 1);
  }

  #prefetchNext(): void {
    const next = this.#nextPassage();
    if (next) this.#cache.prefetch(next.url);
  }

  #addListeners(): () => void {
    const audio = this.#audio;
    const on: [string, () => void][] = [
      ["loadedmetadata", () => this.#onLoadedMetadata()],
      ["canplay", () => this.#onReady()],
      ["seeked", () => this.#onSeeked()],
      ["playing", () => this.#source && this.#enter("playing")],
      ["waiting", () => this.#onWaiting()],
      ["timeupdate", () => this.#onTime()],
      ["pause", () => this.#onPause()],
      ["ended", () => this.#onEnded()],
      ["error", () => this.#onError()],
      // The sound's own beat, which a hidden tab gets as well.
      ["timeupdate", () => this.#changed()],
    ];
    for (const [name, handle] of on) audio.addEventListener(name, handle);
    return () => {
      for (const [name, handle] of on) audio.removeEventListener(name, handle);
    };
  }

  #onLoadedMetadata(): void {
    if (this.#pendingSeekMs === null || !this.#source) return;
    if (this.#pendingSeekMs > 0) this.#audio.currentTime = this.#pendingSeekMs / 1000;
    this.#pendingSeekMs = null;
  }

  #onReady(): void {
    if (!this.#source) return;
    if (this.state === "loading" || (this.#resetting && !this.wanted)) this.#enter("ready");
    else if (this.state === "ended" && !this.wanted && !this.#starved) this.#enter("paused");
    this.#resetting = false;
  }

  #onSeeked(): void {
    this.#stoodAtS = this.#audio.currentTime;
    this.#onReady();
  }

  #onWaiting(): void {
    this.#stoodAtS = this.#audio.currentTime;
    if (this.#source && this.wanted) this.#enter("buffering");
  }

  /** WebKit may wait after a seek and go on without saying so: an element whose time runs plays. */
  #onTime(): void {
    const audio = this.#audio;
    const runs = !audio.paused && !audio.seeking && audio.currentTime > this.#stoodAtS + RUNS_S;
    if (this.state === "buffering" && !this.#starved && runs) this.#enter("playing");
  }

  #onPause(): void {
    // An element also sends pause when it ends and between two sources; those are handled elsewhere.
    if (!this.#source || this.#audio.ended || (this.wanted && this.#pendingSeekMs !== null)) return;
    this.wanted = false;
    this.#enterPaused();
  }

  /** While paused, a recording that has become whole is switched to its file. */
  #enterPaused(): void {
    this.#enter("paused");
    if (this.#source?.kind === "passage" && this.#recording?.url !== undefined) this.moveTo(this.position());
  }

  #onEnded(): void {
    const source = this.#source;
    if (!source || !this.#recording) return;
    if (source.kind === "whole") return this.#finish();
    this.#positionMs = source.passage.startMs + source.passage.durationMs;
    const next = this.#nextPassage();
    if (next) {
      this.#positionMs = next.startMs;
      this.#openSource({ kind: "passage", passage: next }, this.#cache.sourceFor(next.url), next.startMs, 0);
    } else if (this.#recording.complete) {
      this.#finish();
    } else {
      this.#starved = true;
      if (this.wanted) this.#enter("buffering");
    }
  }

  #finish(): void {
    this.wanted = false;
    this.#positionMs = this.#recording ? readyMs(this.#recording) : 0;
    this.#starved = true;
    this.#enter("ended");
  }

  #onError(): void {
    if (!this.#source) return;
    const stored = this.#audio.src.startsWith("blob:");
    const whole = this.#source.kind === "passage" && this.#recording?.url !== undefined;
    this.#positionMs = this.position();
    if (stored) this.#cache.disable();
    if (stored || whole) {
      // The same sound has another source: the passage's own URL, or the whole file.
      this.#source = null;
      return this.moveTo(this.#positionMs);
    }
    this.interrupted = this.wanted;
    this.wanted = false;
    this.#enter("failed");
  }

  #clearSource(): void {
    this.#source = null;
    this.#pendingSeekMs = null;
    this.#starved = false;
    this.#resetting = false;
    this.#endUnlock();
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#audio.load();
  }

  #endUnlock(): void {
    if (this.#unlockUrl) this.#ports.revokeObjectURL(this.#unlockUrl);
    this.#unlockUrl = null;
  }

  #enter(state: PlayerState): void {
    if (state === this.state) return;
    this.state = state;
    this.#changed();
  }
}
