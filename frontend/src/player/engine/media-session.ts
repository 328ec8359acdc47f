import type { Engine, Ports, Recording, Snapshot } from "./types";

const STEP_S = 15;

/* The Media Session API: what lock screen, headset and media keys show and control. */
export class MediaSessionControls {
  readonly #session: MediaSession | undefined;
  #recordingId = "";
  #lastPosition = "";
  /** What was drawn for the recording of this id. */
  #drawn = { id: "", src: "" };

  constructor(ports: Ports) {
    this.#session = ports.mediaSession;
  }

  /** Takes what lock screen and media keys show and do; the next update shows all of it. */
  attach(engine: Engine): void {
    this.#lastPosition = this.#recordingId = "";
    const by = (seconds: number) => engine.seek(engine.position() + seconds * 1000);
    this.#setHandler("play", () => engine.play());
    this.#setHandler("pause", () => engine.pause());
    this.#setHandler("stop", () => engine.pause());
    this.#setHandler("seekbackward", (d) => by(-(d.seekOffset ?? STEP_S)));
    this.#setHandler("seekforward", (d) => by(d.seekOffset ?? STEP_S));
    this.#setHandler("seekto", (d) => engine.seek((d.seekTime ?? 0) * 1000));
  }

  update(now: Snapshot): void {
    const session = this.#session;
    if (!session) return;
    const recording = now.recording;
    if (this.#recordingId !== (recording?.id ?? "")) {
      this.#recordingId = recording?.id ?? "";
      session.metadata = recording ? metadata(recording, this.#drawn) : null;
    }
    session.playbackState = recording ? (now.wanted ? "playing" : "paused") : "none";
    this.#updatePosition(session, now);
  }

  /** The next update shows it. */
  setPicture(id: string, src: string): void {
    this.#drawn = { id, src };
    this.#recordingId = "";
  }

  /** Sent only when playback state or position change by more than playing on: the system counts by itself. */
  #updatePosition(session: MediaSession, now: Snapshot): void {
    const duration = Math.max(now.durationMs, now.positionMs) / 1000;
    const key = `${now.recording?.id}|${now.state}|${now.readyMs}|${now.rate}`;
    if (key === this.#lastPosition || duration <= 0) return;
    this.#lastPosition = key;
    session.setPositionState?.({ duration, position: now.positionMs / 1000, playbackRate: now.rate });
  }

  /** Call after a seek, which changes the position without a change of state. */
  positionJumped(): void {
    this.#lastPosition = "";
  }

  #setHandler(action: MediaSessionAction, run: MediaSessionActionHandler): void {
    try {
      this.#session?.setActionHandler(action, run);
    } catch {
      // This browser does not know the action; its own controls remain.
    }
  }
}

/** The app's own picture, a PNG: lock screens take no other kind everywhere. */
const OWN_PICTURE = { src: "/apple-touch-icon.png", sizes: "180x180", type: "image/png" };

function metadata(
  { id, title, artist, picture }: Recording,
  drawn: { id: string; src: string },
): MediaMetadata | null {
  if (typeof MediaMetadata === "undefined") return null;
  const print = id === drawn.id ? [{ src: drawn.src, sizes: "512x512", type: "image/png" }] : [];
  const artwork = [...(picture ? [{ src: picture }] : print), OWN_PICTURE];
  return new MediaMetadata({ title, artist, album: "Serein", artwork });
}
