import type { Engine, Ports, Snapshot } from "./types";

const STEP_S = 15;

/* What the lock screen, the headset and the keyboard's media keys see and may do. */
export class LockScreen {
  readonly #session: MediaSession | undefined;
  #recording = "";
  #said = "";

  constructor(ports: Ports) {
    this.#session = ports.mediaSession;
  }

  connect(engine: Engine): void {
    const by = (seconds: number) => engine.seek(engine.position() + seconds * 1000);
    this.#handle("play", () => engine.play());
    this.#handle("pause", () => engine.pause());
    this.#handle("seekbackward", (d) => by(-(d.seekOffset ?? STEP_S)));
    this.#handle("seekforward", (d) => by(d.seekOffset ?? STEP_S));
    this.#handle("seekto", (d) => engine.seek((d.seekTime ?? 0) * 1000));
  }

  show(now: Snapshot): void {
    const session = this.#session;
    if (!session) return;
    const recording = now.recording;
    if (this.#recording !== (recording?.id ?? "")) {
      this.#recording = recording?.id ?? "";
      session.metadata = recording ? metadata(recording.title, recording.artist) : null;
    }
    session.playbackState = recording ? (now.wanted ? "playing" : "paused") : "none";
    this.#place(session, now);
  }

  /** Only when something jumps: the system counts on by itself. */
  #place(session: MediaSession, now: Snapshot): void {
    const duration = Math.max(now.durationMs, now.positionMs) / 1000;
    const said = `${now.recording?.id}|${now.state}|${now.readyMs}`;
    if (said === this.#said || duration <= 0) return;
    this.#said = said;
    session.setPositionState?.({ duration, position: now.positionMs / 1000, playbackRate: 1 });
  }

  /** A seek moved the head without a change of state. */
  jumped(): void {
    this.#said = "";
  }

  #handle(action: MediaSessionAction, run: MediaSessionActionHandler): void {
    try {
      this.#session?.setActionHandler(action, run);
    } catch {
      // This browser does not know the action; its own controls remain.
    }
  }
}

function metadata(title: string, artist: string): MediaMetadata | null {
  return typeof MediaMetadata === "undefined" ? null : new MediaMetadata({ title, artist, album: "Serein" });
}
