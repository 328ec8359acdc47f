import { Ambience } from "./ambience";
import { FADE_OUT_S, FADE_SHORT_S } from "./fade";
import { LockScreen } from "./lockscreen";
import { clampSeek, readyMs } from "./timeline";
import type { Engine, Loop, PlayerState, Ports, Recording, Snapshot } from "./types";
import { Voice } from "./voice";

/** The specification's: playback starts this long after the request. */
export const START_DELAY_MS = 300;
/** The specification's: progress is polled this often. */
export const POLL_MS = 100;

/* Joins the voice, the ambience and the lock screen, and tells one story about them. */
export class PlayerEngine implements Engine {
  readonly #ports: Ports;
  readonly #voice: Voice;
  readonly #ambience: Ambience;
  readonly #lockScreen: LockScreen;
  readonly #listeners = new Set<() => void>();
  readonly #forgetReturn: () => void;
  #requested: number | null = null;
  #poll: number | null = null;
  #state: PlayerState = "idle";
  #interrupted = false;
  #snapshot: Snapshot;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#voice = new Voice(ports, () => this.#follow());
    this.#ambience = new Ambience(ports, () => this.#publish());
    this.#lockScreen = new LockScreen(ports);
    this.#lockScreen.connect(this);
    this.#snapshot = this.#look();
    this.#forgetReturn = ports.onReturn(() => this.#returned());
  }

  load(recording: Recording): void {
    if (recording.id !== this.#voice.recording?.id) this.unload();
    this.#voice.load(recording);
    this.#publish();
  }

  prime(): void {
    this.#ambience.prime();
    this.#voice.prime();
  }

  play(): void {
    if (!this.#voice.recording || this.#requested !== null || this.#voice.wanted) return;
    this.#ambience.prime();
    if (this.#voice.state === "ended") {
      this.#voice.place(0);
      this.#ambience.rewind();
    }
    this.#voice.blocked = false;
    this.#requested = this.#ports.setTimeout(() => {
      this.#requested = null;
      this.#voice.play();
    }, START_DELAY_MS);
    this.#publish();
  }

  pause(): void {
    this.#withdraw();
    this.#voice.pause();
    this.#ambience.stop(FADE_SHORT_S);
    this.#publish();
  }

  seek(positionMs: number): void {
    const recording = this.#voice.recording;
    if (!recording) return;
    this.#lockScreen.jumped();
    this.#voice.place(clampSeek(recording, positionMs));
    this.#publish();
  }

  reset(): void {
    this.pause();
    this.#ambience.rewind();
    this.#lockScreen.jumped();
    this.#voice.reset();
    this.#publish();
  }

  setTrack(loop: Loop | null): void {
    this.#ambience.setLoop(loop);
    this.#publish();
  }

  setVolumes(volumes: { voice?: number; ambience?: number }): void {
    if (volumes.voice !== undefined) this.#voice.setVolume(volumes.voice);
    if (volumes.ambience !== undefined) this.#ambience.setVolume(volumes.ambience);
    this.#publish();
  }

  position(): number {
    return this.#voice.position();
  }

  snapshot(): Snapshot {
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  unload(): void {
    this.#withdraw();
    this.#interrupted = false;
    this.#ambience.stop(FADE_SHORT_S);
    this.#ambience.rewind();
    this.#voice.unload();
    this.#publish();
  }

  dispose(): void {
    this.unload();
    this.#forgetReturn();
    this.#voice.dispose();
    this.#ambience.dispose();
    this.#listeners.clear();
  }

  #withdraw(): void {
    if (this.#requested !== null) this.#ports.clearTimeout(this.#requested);
    this.#requested = null;
  }

  /** The voice moved on: the ambience follows it. */
  #follow(): void {
    const state = this.#voice.state;
    const before = this.#state;
    this.#state = state;
    if (state !== before) {
      if (state === "playing") this.#ambience.start();
      if (state === "paused") this.#ambience.stop(FADE_SHORT_S);
      if (state === "failed") this.#ambience.stop(FADE_SHORT_S);
      if (state === "ended") this.#ambience.stop(FADE_OUT_S);
      this.#interrupted = state === "failed" && (before === "playing" || before === "buffering");
      this.#watch(state === "playing");
    }
    this.#publish();
  }

  #watch(playing: boolean): void {
    if (playing && this.#poll === null) this.#poll = this.#ports.setInterval(() => this.#publish(), POLL_MS);
    if (playing || this.#poll === null) return;
    this.#ports.clearInterval(this.#poll);
    this.#poll = null;
  }

  /** Seen again, or online again: what was taken away goes on. */
  #returned(): void {
    this.#ambience.wake();
    if (this.#interrupted) this.play();
  }

  #look(): Snapshot {
    const recording = this.#voice.recording;
    const ready = recording ? readyMs(recording) : 0;
    return {
      state: this.#voice.state,
      wanted: this.#requested !== null || this.#voice.wanted,
      blocked: this.#voice.blocked,
      recording,
      positionMs: this.#voice.position(),
      readyMs: ready,
      durationMs: Math.max(ready, recording?.durationMs ?? 0),
      loop: this.#ambience.loop,
      ambience: this.#ambience.state,
      voiceVolume: this.#voice.volume,
      ambienceVolume: this.#ambience.volume,
    };
  }

  #publish(): void {
    this.#snapshot = this.#look();
    this.#lockScreen.show(this.#snapshot);
    for (const listener of this.#listeners) listener();
  }
}
