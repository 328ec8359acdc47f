import type { Kept } from "./kept";
import { LockScreen } from "./lock-screen";
import type { Plan } from "./plan";
import { planOf } from "./plan";

/** "paused" may go on; "ended" was sat to its end. */
export type SittingState = "none" | "running" | "paused" | "ended";

export interface SittingSnapshot {
  state: SittingState;
  plan: Plan | null;
  /** The time goes on, but the browser plays nothing before somebody presses. */
  silent: boolean;
  muted: boolean;
}

/** The page's other sounds: only one is heard at a time. */
export interface Others {
  pause(): void;
  /** Calls back at each change of theirs, and says whether one of them is asked for. */
  onChange(run: (wanted: boolean) => void): void;
  /** Gives lock screen and media keys back to them. */
  giveBack(): void;
}

export interface SittingPorts {
  createAudio(): HTMLAudioElement;
  createObjectURL(blob: Blob): string;
  revokeObjectURL(url: string): void;
  /** ms since 1970, by this machine's clock. */
  now(): number;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(id: number): void;
  /** Calls back when the page is seen again. */
  onReturn(run: () => void): void;
  mediaSession: MediaSession | undefined;
  others: Others;
  kept(): Kept | null;
  keep(kept: Kept | null): void;
  /** What the lock screen calls it. */
  titleOf(plan: Plan): string;
}

/** How far the sound may be behind the clock before it is moved on: a laptop that slept, a sound that stood still. In ms. */
const DRIFT_MS = 1_000;
/** How near to the clock the sound has to be where it takes over from it, in ms. */
const SYNC_MS = 100;
/** How often the place is kept, in ms. */
const KEEP_MS = 5_000;
/** How long a press waits for its sound before the time goes on without it, in ms. */
const WAIT_MS = 3_000;

/** "waiting": pressed, and nothing is heard yet. "sounding": the audio element's place is the time. "silent": the machine's clock is. */
type Clock = "waiting" | "sounding" | "silent";

/**
 * A sitting under way: its sound is one file, bells and silence, that an audio element plays. Nothing here ticks: the time is the
 * element's place in the file, or without sound what the machine's clock says has passed.
 */
export class Sitting {
  readonly #ports: SittingPorts;
  readonly #audio: HTMLAudioElement;
  readonly #lockScreen: LockScreen;
  readonly #listeners = new Set<() => void>();
  #state: SittingState = "none";
  #plan: Plan | null = null;
  #clock: Clock = "waiting";
  /** Where it was (ms) at that time of the machine's clock. */
  #anchor = { positionMs: 0, atMs: 0 };
  #url = "";
  #seeks = false;
  #timer: number | null = null;
  #keptAt = 0;
  #restored = false;
  #snapshot: SittingSnapshot = { state: "none", plan: null, silent: false, muted: false };

  constructor(ports: SittingPorts) {
    this.#ports = ports;
    this.#audio = ports.createAudio();
    this.#audio.preload = "auto";
    this.#lockScreen = new LockScreen(ports.mediaSession);
    this.#listen();
    ports.others.onChange((wanted) => (wanted ? this.#makeWay() : this.#takeLockScreen()));
    ports.onReturn(() => this.#look());
  }

  snapshot = (): SittingSnapshot => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** ms from the beginning of the plan's file, getting ready included. */
  position(): number {
    const { positionMs } = this.#anchor;
    if (this.#state !== "running" || this.#clock === "waiting") return positionMs;
    if (this.#clock === "sounding" && !this.#seeks) return this.#audio.currentTime * 1000;
    return this.#passed();
  }

  /** Call inside a press. */
  begin(plan: Plan): void {
    this.#load(plan);
    this.#anchorAt(0);
    this.#run();
  }

  /** Call inside a press: goes on after a pause, or has the sound back that the browser did not allow before. */
  resume = (): void => {
    if (this.#state !== "paused" && !this.#snapshot.silent) return;
    this.#anchorAt(this.position());
    this.#run();
  };

  pause = (): void => {
    if (this.#state !== "running") return;
    this.#anchorAt(this.position());
    this.#state = "paused";
    this.#stopTimer();
    this.#audio.pause();
    this.#keep();
    this.#publish();
  };

  /** Ends it at once, or puts away what has ended. */
  stop = (): void => {
    if (this.#state === "none") return;
    this.#unload();
    this.#publish();
  };

  /** Call inside a press: plays a sound to choose by, while nothing is under way. */
  hear(sound: Blob): void {
    if (this.#state === "running" || this.#state === "paused") return;
    this.#unload();
    this.#open(sound);
    this.#ports.others.pause();
    // Without sound there is nothing to choose by, and nothing else to do.
    this.#audio.play().catch(() => undefined);
    this.#publish();
  }

  mute(muted: boolean): void {
    this.#audio.muted = muted;
    this.#publish();
  }

  /** Takes up what a reload has interrupted; once. */
  restore(): void {
    if (this.#restored || this.#state !== "none") return;
    this.#restored = true;
    const kept = this.#ports.kept();
    if (!kept) return;
    const plan = planOf(kept.of);
    this.#anchor = { positionMs: kept.positionMs, atMs: kept.atMs };
    const at = kept.running ? this.#passed() : kept.positionMs;
    if (at >= plan.endsMs) return this.#endUnseen(plan);
    this.#load(plan);
    this.#anchorAt(at);
    if (kept.running) return this.#run("silent");
    this.#state = "paused";
    this.#publish();
  }

  /** It ended while the page was away: there is nothing left to ring. */
  #endUnseen(plan: Plan): void {
    this.#plan = plan;
    this.#anchorAt(plan.endsMs);
    this.#state = "ended";
    this.#ports.keep(null);
    this.#publish();
  }

  #load(plan: Plan): void {
    this.#unload();
    this.#plan = plan;
    this.#open(plan.track());
  }

  #open(sound: Blob): void {
    this.#url = this.#ports.createObjectURL(sound);
    this.#audio.src = this.#url;
  }

  #unload(): void {
    this.#stopTimer();
    this.#state = "none";
    this.#plan = null;
    this.#seeks = false;
    if (this.#url) {
      this.#audio.pause();
      this.#audio.removeAttribute("src");
      this.#audio.load();
      this.#ports.revokeObjectURL(this.#url);
      this.#url = "";
      this.#letGo();
    }
    this.#ports.keep(null);
  }

  #letGo(): void {
    this.#lockScreen.leave();
    this.#ports.others.giveBack();
  }

  /** Has the sound go on from the anchor. Until it is there the clock that was named tells the time. */
  #run(clock: Clock = "waiting"): void {
    const plan = this.#plan;
    if (!plan) return;
    this.#state = "running";
    this.#clock = clock;
    this.#ports.others.pause();
    this.#takeLockScreen();
    this.#seek();
    this.#stopTimer();
    if (clock === "silent") this.#goSilent();
    else this.#timer = this.#ports.setTimeout(() => this.#goSilent(), WAIT_MS);
    this.#audio.play().catch((error: unknown) => {
      // An AbortError means that a pause came first.
      if (error instanceof Error && error.name !== "AbortError") this.#goSilent();
    });
    this.#keep();
    this.#publish();
  }

  /** The time goes on by the machine's clock: nobody waits for a sound that does not come. */
  #goSilent(): void {
    const plan = this.#plan;
    if (this.#state !== "running" || !plan) return;
    if (this.#clock !== "silent") this.#anchorAt(this.position());
    this.#clock = "silent";
    this.#stopTimer();
    this.#timer = this.#ports.setTimeout(() => this.#look(), plan.endsMs - this.position());
    this.#publish();
  }

  #anchorAt(positionMs: number): void {
    this.#anchor = { positionMs, atMs: this.#ports.now() };
  }

  /** Where it is by the machine's clock. */
  #passed(): number {
    return this.#anchor.positionMs + Math.max(0, this.#ports.now() - this.#anchor.atMs);
  }

  /** Moves the sound to the anchor, or to what the clock says by then: only with its metadata can it be moved. */
  #seek(): void {
    this.#seeks = true;
    if (this.#audio.readyState >= 1) this.#move();
  }

  #move(): void {
    if (!this.#seeks) return;
    this.#seeks = false;
    const at = this.#clock === "waiting" ? this.#anchor.positionMs : this.#passed();
    if (Math.abs(this.#audio.currentTime * 1000 - at) > 1) this.#audio.currentTime = at / 1000;
  }

  #listen(): void {
    const on = (name: string, run: () => void) => this.#audio.addEventListener(name, run);
    on("loadedmetadata", () => this.#move());
    on("playing", () => this.#sound());
    on("timeupdate", () => this.#look());
    on("pause", () => this.#onPause());
    on("ended", () => this.#onEnded());
    on("error", () => this.#goSilent());
  }

  /** The sound is there: from now on it tells the time. */
  #sound(): void {
    if (this.#state !== "running" || this.#clock === "sounding") return;
    const silent = this.#clock === "silent";
    this.#clock = "sounding";
    this.#stopTimer();
    if (silent && this.#passed() - this.#audio.currentTime * 1000 > SYNC_MS) this.#catchUp();
    else this.#anchorAt(this.#audio.currentTime * 1000);
    this.#publish();
  }

  /** A pause that nobody pressed here: a call, a headset that was unplugged, another app's sound. */
  #onPause(): void {
    if (this.#state !== "running" || this.#clock !== "sounding" || this.#audio.ended) return;
    this.pause();
  }

  #onEnded(): void {
    if (this.#state === "running") this.#end();
    if (this.#state === "ended") this.#letGo();
  }

  /** Looks at the time. The audio element calls for it some times a second, in a hidden tab as well. */
  #look(): void {
    const plan = this.#plan;
    if (this.#state !== "running" || !plan) return;
    if (this.#clock === "sounding" && !this.#seeks) this.#compare();
    if (this.position() >= plan.endsMs) return this.#end();
    if (Math.abs(this.#ports.now() - this.#keptAt) >= KEEP_MS) this.#keep();
  }

  /** Holds the sound to the clock: behind, it moves on; ahead, somebody has set the clock back. */
  #compare(): void {
    const behind = this.#passed() - this.#audio.currentTime * 1000;
    if (behind > DRIFT_MS) this.#catchUp();
    else if (behind < -DRIFT_MS) this.#anchorAt(this.#audio.currentTime * 1000);
  }

  #catchUp(): void {
    const at = this.#passed();
    this.#anchorAt(at);
    this.#audio.currentTime = at / 1000;
  }

  #end(): void {
    const plan = this.#plan;
    if (!plan) return;
    const rings = this.#clock === "sounding";
    this.#stopTimer();
    this.#state = "ended";
    this.#anchorAt(plan.endsMs);
    this.#ports.keep(null);
    if (!rings) this.#letGo();
    this.#publish();
  }

  /** Something else of this page is asked for: it is heard alone. */
  #makeWay(): void {
    if (this.#state === "running") this.pause();
    else this.#audio.pause();
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#ports.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #keep(): void {
    if (!this.#plan) return;
    const atMs = this.#ports.now();
    this.#keptAt = atMs;
    const running = this.#state === "running";
    this.#ports.keep({ of: this.#plan.of, positionMs: this.position(), atMs, running });
  }

  #publish(): void {
    const silent = this.#state === "running" && this.#clock === "silent";
    this.#snapshot = { state: this.#state, plan: this.#plan, silent, muted: this.#audio.muted };
    this.#tellLockScreen();
    for (const listener of this.#listeners) listener();
  }

  /** The player shows there whatever changes in it: a sitting under way takes it back. */
  #takeLockScreen(): void {
    if (this.#state !== "running" || !this.#plan) return;
    this.#lockScreen.take(this.#ports.titleOf(this.#plan), { play: this.resume, pause: this.pause });
    this.#tellLockScreen();
  }

  #tellLockScreen(): void {
    const plan = this.#plan;
    if (!plan || (this.#state !== "running" && this.#state !== "paused")) return;
    const open = plan.of.kind === "timer" && plan.of.settings.openEnded;
    this.#lockScreen.tell(this.#state === "running", this.position(), open ? null : plan.endsMs);
  }
}
