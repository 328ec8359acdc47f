import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { whenIdle } from "@/lib/idle";
import { onMemberChange } from "@/lib/session";
import { createStore } from "@/lib/store";
import { browserPorts } from "./engine/browser";
import { PlayerEngine } from "./engine/engine";
import type { Engine, Loop } from "./engine/types";
import type { Data } from "@/lib/app";
import type { LiveMeditation } from "@/data/live-meditation";
import { hasEnded } from "@/data/live-meditation";
import { createLiveMeditations } from "@/data/live-meditations";
import { Choices, followChoices } from "./choices";
import { forgetPlace, keepPlace, placeIn } from "./place";
import type { Recorded, ScriptItem } from "./recording";
import { loopOf, recordingOf, scriptOf, wholeOf } from "./recording";

/** How often the place is kept while it plays (ms). */
const KEEP_MS = 2_000;

/** What is in the player, for the components that show it: a bespoke meditation, or a recording made as a whole. */
export type NowPlaying =
  | { meditation: Meditation; recorded?: undefined; script: readonly ScriptItem[] }
  | { meditation?: undefined; recorded: Recorded; script: readonly ScriptItem[] };

/** A sound as the list of sounds has it now; null where it is not there, or the list cannot be read. */
type SoundOf = (id: string) => Promise<Loop | null>;

/**
 * The member's one player: holds at most one recording, feeds the engine as it is narrated, and goes on
 * while the member browses. Refuses to know routes and pages.
 */
export class Player {
  readonly engine: Engine;
  readonly now = createStore<NowPlaying | null>(null);
  /** How many full-size players are on the page; the mini player shows only when there is none. */
  readonly fullPlayers = createStore(0);
  /** How many of them are inline: they have no place for the next step. */
  readonly rings = createStore(0);
  readonly #liveOf: (id: string) => LiveMeditation;
  readonly #choices: Choices;
  #id: string | null = null;
  #unsubscribe: () => void = () => {};
  #playWhenLoaded = false;
  /** Sound was asked for since it was put here: its place is worth keeping. */
  #heard = false;
  #keptAt = 0;

  readonly #soundOf: SoundOf;

  constructor(
    engine: Engine,
    liveOf: (id: string) => LiveMeditation,
    choices = new Choices(),
    soundOf: SoundOf = () => Promise.resolve(null),
  ) {
    this.engine = engine;
    this.#soundOf = soundOf;
    this.#choices = choices;
    this.#liveOf = liveOf;
    engine.subscribe(this.#keep);
  }

  get id(): string | null {
    return this.#id;
  }

  /** Puts a meditation into the player. One that is there already goes on undisturbed. */
  open(id: string, options: { play?: boolean } = {}): void {
    if (id !== this.#id) this.#replace(id);
    if (options.play) this.play();
  }

  /** The same for something that is recorded as a whole; the sound beneath it is the one it brings. */
  openRecorded(recorded: Recorded, options: { play?: boolean } = {}): void {
    if (recorded.id !== this.#id) {
      this.close();
      this.#id = recorded.id;
      this.engine.load(wholeOf(recorded));
      this.#begin(recorded.id, recorded.loop);
      this.now.set({ recorded, script: [] });
    }
    if (options.play) this.play();
  }

  play = (): void => {
    this.#heard = true;
    if (this.engine.snapshot().recording) this.engine.play();
    else this.#playWhenLoaded = true;
  };

  toggle = (): void => {
    if (this.engine.snapshot().wanted) this.engine.pause();
    else this.play();
  };

  /** The member's choice of the sound beneath, kept for this recording. */
  chooseTrack = (loop: Loop | null): void => {
    this.engine.setTrack(loop);
    if (this.#id) this.#choices.keepLoop(this.#id, loop);
  };

  /** The id of the sound that was chosen for the library, "none" for the voice alone; "" where none was. */
  get librarySound(): string {
    return this.#choices.read().library;
  }

  keepLibrarySound(id: string): void {
    this.#choices.keep({ library: id });
  }

  close = (): void => {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    this.#id = null;
    this.#playWhenLoaded = false;
    this.#heard = false;
    this.engine.unload();
    this.now.set(null);
  };

  /** Shows a meditation without playing it; one that is being heard is not disturbed. */
  show(id: string): void {
    if (this.#id !== id && !this.#asked) this.open(id);
  }

  /** Takes away a meditation that was shown, if nobody has begun to hear it. */
  leave(id: string): void {
    const begun = this.#heard && this.engine.snapshot().positionMs > 0;
    if (this.#id === id && !this.#asked && !begun) this.close();
  }

  /** Whether sound was asked for: it plays, or will once it is loaded. */
  get #asked(): boolean {
    return this.#playWhenLoaded || this.engine.snapshot().wanted;
  }

  /** A full-size player was mounted; call the returned function when it is unmounted. */
  showFull = (): (() => void) => {
    this.fullPlayers.set(this.fullPlayers.get() + 1);
    return () => this.fullPlayers.set(this.fullPlayers.get() - 1);
  };

  /** The same for an inline one. */
  showRing = (): (() => void) => {
    const leave = this.showFull();
    this.rings.set(this.rings.get() + 1);
    return () => {
      this.rings.set(this.rings.get() - 1);
      leave();
    };
  };

  #replace(id: string): void {
    this.close();
    this.#id = id;
    const live = this.#liveOf(id);
    this.#unsubscribe = live.subscribe(() => this.#onLive(live));
    this.#onLive(live);
  }

  /** With its own sound, at the place where it was left. */
  #begin(id: string, loop: Loop | null): void {
    const chosen = this.#choices.loopOf(id);
    const old = chosen && this.#choices.isOld(id);
    this.engine.setTrack(old ? null : chosen === undefined ? loop : chosen);
    if (old) void this.#findAgain(id, chosen);
    const place = placeIn(id);
    if (place > 0) this.engine.seek(place);
  }

  /** Reads the address of a sound again that was chosen long ago. What is chosen meanwhile stands. */
  async #findAgain(id: string, chosen: Loop): Promise<void> {
    const found = await this.#soundOf(chosen.id);
    if (this.#id !== id || this.engine.snapshot().loop || !this.#choices.loopOf(id)) return;
    if (found) this.chooseTrack(found);
    else this.engine.setTrack(chosen);
  }

  /** Keeps the place, every few seconds and where it jumps. */
  #keep = (): void => {
    const { recording, positionMs, durationMs, wanted } = this.engine.snapshot();
    if (!recording || !this.#heard || recording.id !== this.#id) return;
    if (wanted && Math.abs(positionMs - this.#keptAt) < KEEP_MS) return;
    if (positionMs === this.#keptAt) return;
    this.#keptAt = positionMs;
    keepPlace(recording.id, positionMs, durationMs);
  };

  #onLive(live: LiveMeditation): void {
    const { meditation, segments } = live.state();
    if (!meditation || meditation.id !== this.#id) return;
    // What was given up or went wrong has no sound any more.
    if (hasEnded(meditation.stage) && meditation.stage !== Stage.READY) return this.close();
    const first = this.now.get() === null;
    this.engine.load(recordingOf(meditation, segments));
    if (first) this.#begin(meditation.id, loopOf(meditation.track));
    this.now.set({ meditation, script: scriptOf(segments) });
    if (this.#playWhenLoaded) this.engine.play();
    this.#playWhenLoaded = false;
  }
}

/** By these a reader shows themselves: a press comes after one of them. A page may scroll something by itself. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel"] as const;

/**
 * Has the sound's machinery made before it is pressed, or the press would wait for it; but not while the page comes: it
 * holds up a phone for a fifth of a second.
 */
function prepareEarly(engine: Engine): void {
  const seen = new AbortController();
  const prepare = () => {
    seen.abort();
    whenIdle(() => engine.prepare());
  };
  for (const sign of SIGNS)
    window.addEventListener(sign, prepare, { capture: true, passive: true, signal: seen.signal });
}

/** A part of Data: the page's one player. Nothing of one member stays for the next. */
export function createPlayer(data: Data): Player {
  const lives = data.part(createLiveMeditations);
  const choices = new Choices(() => data.session.get().member?.uid);
  const soundOf: SoundOf = (id) =>
    import("./more/sound-of").then((list) => list.soundOf(data, id)).catch(() => null);
  const player = new Player(new PlayerEngine(browserPorts()), (id) => lives.of(id), choices, soundOf);
  onMemberChange(data.session, () => {
    player.close();
    forgetPlace();
  });
  followChoices(data.session, player.engine, choices);
  prepareEarly(player.engine);
  return player;
}
