import type { Kept } from "../kept";
import { Sitting } from "../sitting";

/** An audio element that plays by the test's clock. */
export class FakeAudio extends EventTarget {
  preload = "";
  muted = false;
  paused = true;
  ended = false;
  readyState = 0;
  refuse = false;
  /** Its file is there as soon as it is asked for; false as where a phone is slow. */
  prompt = true;
  durationS = Number.POSITIVE_INFINITY;
  #at = 0;
  #src = "";

  get currentTime(): number {
    return this.#at;
  }

  set currentTime(seconds: number) {
    this.#at = Math.min(seconds, this.durationS);
  }

  get src(): string {
    return this.#src;
  }

  set src(url: string) {
    this.#src = url;
    this.#at = 0;
    this.readyState = 0;
    this.paused = true;
    this.ended = false;
  }

  load(): void {}

  removeAttribute(): void {
    this.#src = "";
    this.readyState = 0;
  }

  play(): Promise<void> {
    if (this.refuse) return Promise.reject(Object.assign(new Error("no"), { name: "NotAllowedError" }));
    this.paused = false;
    if (this.prompt) this.arrive();
    return Promise.resolve();
  }

  /** The file is there, and plays if it was asked to. */
  arrive(): void {
    if (this.readyState === 0) {
      this.readyState = 4;
      this.#say("loadedmetadata");
    }
    if (!this.paused) this.#say("playing");
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.#say("pause");
  }

  /** The sound goes on for so long, and says so as a browser does. */
  sound(ms: number): void {
    if (this.paused || this.readyState === 0) return;
    this.currentTime += ms / 1000;
    this.#say("timeupdate");
    if (this.#at < this.durationS) return;
    this.paused = true;
    this.ended = true;
    this.#say("pause");
    this.#say("ended");
  }

  #say(name: string): void {
    this.dispatchEvent(new Event(name));
  }
}

/** A browser for one sitting: its clock, its sound, what it keeps, and the page's other sounds. */
export class FakeBrowser {
  audio = new FakeAudio();
  now = Date.UTC(2026, 10, 23, 7, 30);
  kept: Kept | null = null;
  buttons = new Map<string, (() => void) | null>();
  session = {
    metadata: null,
    playbackState: "none",
    setActionHandler: (action: string, run: (() => void) | null) => this.buttons.set(action, run),
    setPositionState: () => {},
  };
  /** What became of the other sounds. */
  others = { paused: 0, given: 0, change: (_wanted: boolean) => {} };
  #timers = new Map<number, { at: number; run: () => void }>();
  #id = 0;
  #seen: () => void = () => {};

  /** A page with this browser; another one after a reload. */
  open(): Sitting {
    const { others } = this;
    return new Sitting({
      createAudio: () => this.audio as unknown as HTMLAudioElement,
      createObjectURL: () => "blob:track",
      revokeObjectURL: () => {},
      now: () => this.now,
      setTimeout: (run, ms) => {
        this.#timers.set(++this.#id, { at: this.now + ms, run });
        return this.#id;
      },
      clearTimeout: (id) => this.#timers.delete(id),
      onReturn: (run) => {
        this.#seen = run;
      },
      mediaSession: this.session as unknown as MediaSession,
      others: {
        pause: () => void others.paused++,
        onChange: (run) => {
          others.change = run;
        },
        giveBack: () => void others.given++,
      },
      kept: () => this.kept,
      keep: (kept) => {
        this.kept = kept;
      },
      titleOf: ({ of }) => of.kind,
    });
  }

  /** Time passes, and the sound with it, as an element tells it four times a second. */
  pass(ms: number, step = 250): void {
    for (let left = ms; left > 0; left -= step) {
      const now = Math.min(step, left);
      this.now += now;
      this.audio.sound(now);
      this.#runTimers();
    }
  }

  /** The machine sleeps: the clock goes on, and nothing else does. */
  sleep(ms: number): void {
    this.now += ms;
  }

  /** The page is seen again. */
  see(): void {
    this.#seen();
  }

  /** The page is loaded again. */
  reload(): Sitting {
    this.audio = new FakeAudio();
    this.#timers.clear();
    return this.open();
  }

  #runTimers(): void {
    for (const [id, { at, run }] of this.#timers) {
      if (at > this.now) continue;
      this.#timers.delete(id);
      run();
    }
  }
}
