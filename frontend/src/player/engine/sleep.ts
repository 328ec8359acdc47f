/** When the sound ends by itself: never, with the recording, or after so many minutes. */
export type SleepChoice = "off" | "end" | number;

/** How long the sound takes to go. */
export const SLEEP_FADE_S = 20;

/**
 * The sleep timer. It uses no browser timer, since browsers delay those in a hidden tab: the engine asks it at each progress
 * event of the sound, and it answers by the clock.
 */
export class Sleep {
  readonly #now: () => number;
  choice: SleepChoice = "off";
  /** When the fade begins, on the clock; null while no minutes are set. */
  #at: number | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  set(choice: SleepChoice): void {
    this.choice = choice;
    this.#at = typeof choice === "number" ? this.#now() + choice * 60_000 : null;
  }

  /** Milliseconds until the fade begins, below 0 while it fades; null while no minutes are set. */
  get left(): number | null {
    return this.#at === null ? null : this.#at - this.#now();
  }

  get isFading(): boolean {
    return this.left !== null && this.left <= 0;
  }

  get isOver(): boolean {
    return this.level === 0;
  }

  /** What is left of the voice, 1 to 0. */
  get level(): number {
    const gone = -(this.left ?? 0) / 1000 / SLEEP_FADE_S;
    return 1 - Math.min(1, Math.max(0, gone));
  }
}
