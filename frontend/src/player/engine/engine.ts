import { Ambience } from "./ambience";
import { FADE_OUT_S, FADE_SHORT_S } from "./fade";
import { MediaSessionControls } from "./media-session";
import type { SleepChoice } from "./sleep";
import { Sleep, SLEEP_FADE_S } from "./sleep";
import { clampSeek, readyMs } from "./timeline";
import type { Engine, Loop, PlayerState, Ports, Recording, Snapshot } from "./types";
import { Voice } from "./voice";

/** The specification's: playback starts this long after the request. */
export const START_DELAY_MS = 300;
/** The specification's: progress is polled this often. */
export const POLL_MS = 100;

/* Joins voice, ambience and media session, and publishes one snapshot of their state. */
export class PlayerEngine implements Engine {
  readonly #ports: Ports;
  readonly #voice: Voice;
  readonly #ambience: Ambience;
  readonly #mediaSession: MediaSessionControls;
  readonly #sleep: Sleep;
  readonly #listeners = new Set<() => void>();
  readonly #removeReturnListener: () => void;
  #startTimer: number | null = null;
  #pollTimer: number | null = null;
  #voiceState: PlayerState = "idle";
  /** The voice has ended, and the ambience goes on until the sleep timer ends it. */
  #lingers = false;
  #snapshot: Snapshot;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#voice = new Voice(ports, () => this.#onVoiceChange());
    this.#ambience = new Ambience(ports, () => this.#publish());
    this.#sleep = new Sleep(() => ports.now());
    this.#mediaSession = new MediaSessionControls(ports);
    this.#mediaSession.attach(this);
    this.#snapshot = this.#takeSnapshot();
    this.#removeReturnListener = ports.onReturn(() => this.#onReturn());
  }

  load(recording: Recording): void {
    if (recording.id !== this.#voice.recording?.id) this.unload();
    this.#voice.load(recording);
    this.#publish();
  }

  prepare(): void {
    this.#ambience.prepare();
  }

  unlock(): void {
    this.#ambience.unlock();
    this.#voice.unlock();
  }

  play(): void {
    if (!this.#voice.recording || this.#startTimer !== null || this.#voice.wanted) return;
    // A time that has passed meanwhile ends nothing that is asked for now.
    if (this.#sleep.isFading) this.#wake();
    this.#lingers = false;
    this.#mediaSession.attach(this);
    this.#ambience.unlock();
    if (this.#voice.state === "ended") {
      this.#voice.moveTo(0);
      this.#ambience.rewind();
    }
    this.#voice.blocked = false;
    this.#startTimer = this.#ports.setTimeout(() => {
      this.#startTimer = null;
      this.#voice.play();
    }, START_DELAY_MS);
    this.#publish();
  }

  pause(): void {
    this.#cancelStart();
    this.#lingers = false;
    this.#voice.pause();
    this.#ambience.stop(FADE_SHORT_S);
    // Silent first, then as loud as it was.
    if (this.#sleep.isFading) this.#wake();
    this.#follow();
    this.#publish();
  }

  seek(positionMs: number): void {
    const recording = this.#voice.recording;
    if (!recording) return;
    this.#mediaSession.positionJumped();
    this.#voice.moveTo(clampSeek(recording, positionMs));
    this.#publish();
  }

  reset(): void {
    this.pause();
    this.#ambience.rewind();
    this.#mediaSession.positionJumped();
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

  setRate(rate: number): void {
    this.#voice.setRate(rate);
    this.#mediaSession.positionJumped();
    this.#publish();
  }

  setPicture(id: string, src: string): void {
    this.#mediaSession.setPicture(id, src);
    this.#publish();
  }

  takeLockScreen(): void {
    this.#mediaSession.attach(this);
    this.#publish();
  }

  setSleep(choice: SleepChoice): void {
    this.#wake();
    this.#sleep.set(choice);
    if (this.#lingers && typeof choice !== "number") this.pause();
    this.#follow();
    this.#publish();
  }

  sleepLeft(): number | null {
    return this.#sleep.left;
  }

  position(): number {
    return this.#voice.position();
  }

  snapshot(): Snapshot {
    return this.#snapshot;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  unload(): void {
    this.#cancelStart();
    if (this.#sleep.isFading) this.#wake();
    this.#lingers = false;
    this.#ambience.stop(FADE_SHORT_S);
    this.#ambience.rewind();
    this.#voice.unload();
    this.#publish();
  }

  dispose(): void {
    this.unload();
    this.#removeReturnListener();
    this.#voice.dispose();
    this.#ambience.dispose();
    this.#listeners.clear();
  }

  #cancelStart(): void {
    if (this.#startTimer !== null) this.#ports.clearTimeout(this.#startTimer);
    this.#startTimer = null;
  }

  /** The voice changed its state: the ambience follows. */
  #onVoiceChange(): void {
    const state = this.#voice.state;
    const before = this.#voiceState;
    this.#voiceState = state;
    if (state !== before) {
      if (state !== "ended") this.#lingers = false;
      if (state === "playing") this.#ambience.start();
      if (state === "paused") this.#ambience.stop(FADE_SHORT_S);
      if (state === "failed") this.#ambience.stop(FADE_SHORT_S);
      if (state === "ended") this.#onEnd();
    }
    this.#follow();
    this.#beat();
  }

  /** The ambience goes with the voice, later, or slowly, as the sleep timer says. */
  #onEnd(): void {
    const { choice, isFading } = this.#sleep;
    this.#lingers = typeof choice === "number" && !isFading && this.#ambience.loop !== null;
    if (this.#lingers) return;
    this.#ambience.stop(choice === "end" ? SLEEP_FADE_S : FADE_OUT_S);
    if (choice !== "off") this.#wake();
  }

  /** The moment that the sleep timer waits for comes at one of these. */
  #beat(): void {
    if (this.#sleep.isFading && this.#isWanted) {
      this.#voice.setLevel(this.#sleep.level);
      this.#ambience.setLevel(0, SLEEP_FADE_S);
      if (this.#sleep.isOver) return this.pause();
    }
    this.#publish();
  }

  /** Ends the sleep timer, and what it has taken of the sound comes back. */
  #wake(): void {
    this.#sleep.set("off");
    this.#voice.setLevel(1);
    this.#ambience.setLevel(1, FADE_SHORT_S);
  }

  /** Sound was asked for, and nothing has ended it. */
  get #isWanted(): boolean {
    return this.#startTimer !== null || this.#voice.wanted || this.#lingers;
  }

  /** Looks at the time while it passes: while the voice plays, and while the sleep timer waits for its moment. */
  #follow(): void {
    const waits = typeof this.#sleep.choice === "number" && this.#isWanted;
    this.#pollWhile(this.#voice.state === "playing" || waits);
  }

  #pollWhile(playing: boolean): void {
    if (playing && this.#pollTimer === null)
      this.#pollTimer = this.#ports.setInterval(() => this.#beat(), POLL_MS);
    if (playing || this.#pollTimer === null) return;
    this.#ports.clearInterval(this.#pollTimer);
    this.#pollTimer = null;
  }

  /** The page is visible or online again: what was interrupted goes on. */
  #onReturn(): void {
    this.#ambience.resume();
    if (this.#voice.interrupted) this.play();
    else if (this.#voice.state === "buffering") this.#voice.reopen();
  }

  #takeSnapshot(): Snapshot {
    const recording = this.#voice.recording;
    const ready = recording ? readyMs(recording) : 0;
    // A time that has passed in silence is none.
    const sleeps = this.#isWanted || !this.#sleep.isFading;
    return {
      state: this.#voice.state,
      wanted: this.#isWanted,
      blocked: this.#voice.blocked,
      recording,
      positionMs: this.#voice.position(),
      readyMs: ready,
      durationMs: Math.max(ready, recording?.durationMs ?? 0),
      loop: this.#ambience.loop,
      ambience: this.#ambience.state,
      canSetVoice: this.#ports.keepsVolume(),
      voiceVolume: this.#voice.volume,
      ambienceVolume: this.#ambience.volume,
      rate: this.#voice.rate,
      sleep: sleeps ? this.#sleep.choice : "off",
    };
  }

  #publish(): void {
    this.#snapshot = this.#takeSnapshot();
    this.#mediaSession.update(this.#snapshot);
    for (const listener of this.#listeners) listener();
  }
}
