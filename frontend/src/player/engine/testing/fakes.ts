import type { Ports } from "../types";

/** An audio element that plays only when a test lets it, and remembers what it was told. */
export class FakeAudio extends EventTarget {
  preload = "";
  volume = 1;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  preservesPitch = false;
  currentTime = 0;
  paused = true;
  ended = false;
  refuse = false;
  plays = 0;
  /** Every source it was given. */
  sources: string[] = [];
  #src = "";

  get src(): string {
    return this.#src;
  }

  set src(url: string) {
    this.#src = url;
    this.sources.push(url);
    this.currentTime = 0;
    this.playbackRate = this.defaultPlaybackRate;
    this.paused = true;
    this.ended = false;
  }

  load(): void {}

  removeAttribute(): void {
    this.#src = "";
  }

  play(): Promise<void> {
    this.plays++;
    if (this.refuse) return Promise.reject(Object.assign(new Error("no"), { name: "NotAllowedError" }));
    this.paused = false;
    this.ended = false;
    return Promise.resolve();
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.say("pause");
  }

  say(name: string): void {
    this.dispatchEvent(new Event(name));
  }

  /** The source has arrived, and plays if it was asked to. */
  arrive(): void {
    this.say("loadedmetadata");
    this.say("canplay");
    if (!this.paused) this.say("playing");
  }

  /** The source has been heard to its end. */
  finish(): void {
    this.paused = true;
    this.ended = true;
    this.say("pause");
    this.say("ended");
  }
}

export interface Scheduled {
  what: "cancel" | "curve";
  at: number;
  seconds: number;
  from: number;
  to: number;
  points: number;
}

export class FakeParam {
  value = 1;
  schedule: Scheduled[] = [];

  cancelScheduledValues(at: number): void {
    this.schedule.push({ what: "cancel", at, seconds: 0, from: 0, to: 0, points: 0 });
  }

  setValueCurveAtTime(curve: Float32Array, at: number, seconds: number): void {
    const [from, to] = [curve[0] ?? 0, curve.at(-1) ?? 0];
    this.schedule.push({ what: "curve", at, seconds, from, to, points: curve.length });
  }

  curves(): Scheduled[] {
    return this.schedule.filter((s) => s.what === "curve");
  }
}

export class FakeGain {
  gain = new FakeParam();
  connect(): void {}
  disconnect(): void {}
}

export class FakeSource extends EventTarget {
  buffer: unknown = null;
  loop = false;
  loopStart = 0;
  loopEnd = 0;
  startedFrom: number | null = null;
  stopsAt: number | null = null;
  connect(): void {}

  start(_when: number, offset: number): void {
    this.startedFrom = offset;
  }

  stop(when: number): void {
    this.stopsAt = when;
  }
}

export class FakeContext extends EventTarget {
  currentTime = 0;
  state: AudioContextState = "suspended";
  destination = {};
  gains: FakeGain[] = [];
  sources: FakeSource[] = [];
  resumes = 0;

  createGain(): FakeGain {
    const gain = new FakeGain();
    this.gains.push(gain);
    return gain;
  }

  createBufferSource(): FakeSource {
    const source = new FakeSource();
    this.sources.push(source);
    return source;
  }

  decodeAudioData(): Promise<unknown> {
    return Promise.resolve({});
  }

  resume(): Promise<void> {
    this.resumes++;
    this.state = "running";
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.state = "closed";
    return Promise.resolve();
  }
}

/** Ports whose clock, network and sound belong to the test. */
export class FakeWorld {
  audio = new FakeAudio();
  context = new FakeContext();
  /** False as on an iPhone. */
  keepsVolume = true;
  fetched: string[] = [];
  /** Tests replace it to hold an answer back. */
  answer: (url: string) => Promise<Response> = () => Promise.resolve(new Response("sound"));
  #now = 0;
  #held = false;
  #id = 0;
  #timers = new Map<number, { at: number; every: number; run: () => void }>();
  #returned = new Set<() => void>();

  ports(): Ports {
    return {
      createAudio: () => this.audio as unknown as HTMLAudioElement,
      createContext: () => this.context as unknown as AudioContext,
      keepsVolume: () => this.keepsVolume,
      fetch: (url) => {
        this.fetched.push(url);
        return this.answer(url);
      },
      createObjectURL: () => `blob:${++this.#id}`,
      revokeObjectURL: () => {},
      setTimeout: (run, ms) => this.#timer(run, ms, 0),
      clearTimeout: (id) => this.#timers.delete(id),
      setInterval: (run, ms) => this.#timer(run, ms, ms),
      clearInterval: (id) => this.#timers.delete(id),
      now: () => this.#now,
      draw: () => 0,
      onReturn: (run) => {
        this.#returned.add(run);
        return () => this.#returned.delete(run);
      },
      mediaSession: undefined,
    };
  }

  /** Moves the test's clock and runs what falls due. */
  pass(ms: number): void {
    const end = this.#now + ms;
    while (!this.#held) {
      const due = [...this.#timers].filter(([, t]) => t.at <= end).toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [id, timer] = due;
      this.#now = timer.at;
      if (timer.every) timer.at += timer.every;
      else this.#timers.delete(id);
      timer.run();
    }
    this.#now = end;
  }

  /** From now on time passes and no timer runs, as in a tab that the browser has put to sleep. */
  hold(): void {
    this.#held = true;
  }

  comeBack(): void {
    for (const run of this.#returned) run();
  }

  #timer(run: () => void, ms: number, every: number): number {
    this.#timers.set(++this.#id, { at: this.#now + ms, every, run });
    return this.#id;
  }
}

/** Lets promises that are already settled run their continuations. */
export const flushPromises = (): Promise<void> => new Promise((done) => setTimeout(done));
