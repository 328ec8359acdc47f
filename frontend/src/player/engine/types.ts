/*
 * The player engine: one recording, one voice, one ambience. Plain TypeScript; React only watches it.
 * It refuses to know what a meditation is, where it came from or what it costs.
 */

import type { SleepChoice } from "./sleep";

/** A piece of the recording that plays alone. Pieces follow each other without gaps; the cut lies in a silence. */
export interface Passage {
  index: number;
  /** Place on the recording's timeline, in milliseconds. */
  startMs: number;
  durationMs: number;
  url: string;
}

export interface Recording {
  id: string;
  title: string;
  /** Second line on the lock screen. */
  artist: string;
  /** Its picture there, an address of this site; the app's own stands in for it. */
  picture?: string | undefined;
  /** What can be played now, in order. Grows while the rest is being narrated. */
  passages: readonly Passage[];
  /** The whole recording with byte ranges, once it exists. */
  url?: string | undefined;
  /** Length of the whole in milliseconds: a guess until `complete`. */
  durationMs: number;
  /** No further passage will come. */
  complete: boolean;
}

/** A window of a decoded sound that repeats without a seam. */
export interface Loop {
  id: string;
  url: string;
  startMs: number;
  lengthMs: number;
}

/** Where the voice is. Only a media event (or a new recording) moves it. */
export type PlayerState =
  | "idle"
  | "loading"
  | "ready"
  | "playing"
  | "paused"
  | "buffering"
  | "ended"
  | "failed";

export type AmbienceState = "off" | "loading" | "on" | "unavailable";

export interface Snapshot {
  state: PlayerState;
  /** The listener asked for sound: true from the press until pause, end or failure. */
  wanted: boolean;
  /** The browser refused to start without another press. */
  blocked: boolean;
  recording: Recording | null;
  positionMs: number;
  /** End of what can be played now. */
  readyMs: number;
  durationMs: number;
  loop: Loop | null;
  ambience: AmbienceState;
  /** The voice's volume can be set. On an iPhone it is that of the device's own buttons. */
  canSetVoice: boolean;
  /** 0 to 1. */
  voiceVolume: number;
  ambienceVolume: number;
  /** How fast the voice speaks: 1 as it was recorded. */
  rate: number;
  sleep: SleepChoice;
}

export interface Engine {
  /** Takes a recording. The same id again extends it in place; another id replaces it and stops. */
  load(recording: Recording): void;
  /** Call while nothing else is to do: makes ready what would hold up the first press. */
  prepare(): void;
  /** Call inside a press, before anything can play: unlocks sound for the plays that follow by themselves. */
  unlock(): void;
  play(): void;
  pause(): void;
  /** Milliseconds; clamped to what is ready. */
  seek(positionMs: number): void;
  /** Stops and returns to the start. */
  reset(): void;
  /** The ambience; null for none. Takes effect at once while playing. */
  setTrack(loop: Loop | null): void;
  setVolumes(volumes: { voice?: number; ambience?: number }): void;
  /** Gives a recording without a picture one for the lock screen; `src` is its address. */
  setPicture(id: string, src: string): void;
  /** Takes lock screen and media keys back, which another sound of the page has had. */
  takeLockScreen(): void;
  /** How fast the voice speaks, at the pitch it has: 0.5 to 2. The ambience keeps its pace. */
  setRate(rate: number): void;
  /** When the sound goes by itself. With minutes the ambience goes on after the voice until then. */
  setSleep(choice: SleepChoice): void;
  /** Milliseconds until the sleep timer's fade begins; null while no minutes are set. */
  sleepLeft(): number | null;
  /** The exact position, for drawing each frame. */
  position(): number;
  snapshot(): Snapshot;
  subscribe(listener: () => void): () => void;
  /** Stops and forgets the recording. */
  unload(): void;
  dispose(): void;
}

/** What the engine needs from a browser; tests give their own. */
export interface Ports {
  createAudio(): HTMLAudioElement;
  createContext(): AudioContext;
  /** Whether an audio element keeps the volume that a page sets. */
  keepsVolume(): boolean;
  fetch(url: string, signal?: AbortSignal): Promise<Response>;
  createObjectURL(blob: Blob): string;
  revokeObjectURL(url: string): void;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(id: number): void;
  setInterval(run: () => void, ms: number): number;
  clearInterval(id: number): void;
  /** A clock in ms that nobody sets. */
  now(): number;
  /** A number drawn at random, 0 to 1. */
  draw(): number;
  /** Calls back when the page is seen again or the network returns. */
  onReturn(run: () => void): () => void;
  mediaSession: MediaSession | undefined;
}
