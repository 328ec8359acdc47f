/** What lock screen, headset and media keys show of a sitting, and how they pause it. */
export class LockScreen {
  readonly #session: MediaSession | undefined;

  constructor(session: MediaSession | undefined) {
    this.#session = session;
  }

  /** Takes them from whatever had them. Nobody skips within a sitting. */
  take(title: string, act: { play: () => void; pause: () => void }): void {
    if (!this.#session) return;
    if (typeof MediaMetadata !== "undefined")
      this.#session.metadata = new MediaMetadata({
        title,
        artist: "Serein",
        artwork: [{ src: "/apple-touch-icon.png", sizes: "180x180", type: "image/png" }],
      });
    this.#on("play", act.play);
    this.#on("pause", act.pause);
    this.#on("stop", act.pause);
    this.#on("seekbackward", null);
    this.#on("seekforward", null);
    this.#on("seekto", null);
  }

  /** Times in ms. Without `durationMs` no end is shown. */
  tell(playing: boolean, positionMs: number, durationMs: number | null): void {
    if (!this.#session) return;
    this.#session.playbackState = playing ? "playing" : "paused";
    if (durationMs === null) return this.#session.setPositionState?.();
    const position = Math.min(positionMs, durationMs) / 1000;
    this.#session.setPositionState?.({ duration: durationMs / 1000, position, playbackRate: 1 });
  }

  /** Leaves them to the next. */
  leave(): void {
    if (!this.#session) return;
    this.#session.metadata = null;
    this.#session.playbackState = "none";
    for (const action of ["play", "pause", "stop"] as const) this.#on(action, null);
  }

  #on(action: MediaSessionAction, run: (() => void) | null): void {
    try {
      this.#session?.setActionHandler(action, run);
    } catch {
      // This browser does not know the action.
    }
  }
}
