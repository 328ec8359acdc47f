import type { Data } from "@/lib/app";
import type { Item } from "@/data/items";
import type { Places } from "@/data/places";
import { placesOf } from "@/data/places";
import type { StartListeningResponse } from "@/gen/serein/web/v1/player_pb";
import { onMemberChange } from "@/lib/session";
import { createStore } from "@/lib/store";
import type { Engine } from "../engine/types";
import { createPlayer } from "../player";
import { MOST_FAILURES, pauseBefore } from "./again";
import { itemOf } from "./item";
import { forgetTurn, keepTurn, turnIn } from "./turns";

/** How much of the recording lies between two writes (ms): other devices take one that has not written for 20 s for silent. */
const WRITE_MS = 10_000;
/** An answer may move the sound while less than this was heard (ms); afterwards the listener's own place stands. */
const LITTLE_MS = 3_000;
/** What is nearer than this to the place that was written is written already (ms). */
const SAME_MS = 1_000;

/** What it needs of the page it runs in; tests give their own. */
export interface Page {
  /** The signed-in member's uid; undefined for visitors, of whom nothing is kept. */
  uid: () => string | undefined;
  /** The turn up to which this tab knows the place in a recording; 0n where it knows no turn. */
  turnIn: (id: string) => bigint;
  keepTurn: (id: string, turn: bigint) => void;
  /** Says that listening goes on elsewhere. */
  sayMoved: () => void;
  /** Says that the place is not kept, and that nobody tries any more by itself. */
  sayLost: () => void;
  /** Calls back after so many ms. */
  later: (run: () => void, ms: number) => void;
  /** A number drawn at random, 0 to 1. */
  draw: () => number;
}

/** One recording in the player, from when it is put there until another is. */
interface Followed {
  id: string;
  item: Item;
  /** Whose it is. */
  uid: string;
  /** The turn in which this tab writes; 0n before a turn has begun. */
  turn: bigint;
  /** Writes of the turn. */
  step: bigint;
  /** Play was pressed, and no turn has begun for it: the question is under way, or it failed and is asked again. */
  asking: boolean;
  lost: boolean;
  /** The gateway refuses it for good: nothing is kept of it. */
  refused: boolean;
  /** Calls that failed since the last one that did not. */
  failures: number;
  /** Where the sound was when it was opened, or asked for last. */
  fromMs: number;
  /** The place that was written last, and where it is now. */
  writtenMs: number;
  positionMs: number;
  durationMs: number;
  wanted: boolean;
  /** The last write did not arrive. */
  unsent: boolean;
}

/**
 * Follows the engine and keeps the member's place on all their devices. The gateway says who may write: each press on play begins a
 * turn, and a later one, of whatever device, takes it away. The sound waits for no answer.
 */
export class Listening {
  /** Another device plays, and the member is asked; what plays there, or "". null while nobody is asked. */
  readonly asked = createStore<{ title: string } | null>(null);
  /** The entry of the member's diary that a line is offered for; "" for none. */
  readonly line = createStore("");
  /** The entry that it was offered for last: each is offered once. */
  #offered = "";
  readonly #engine: Engine;
  readonly #places: Places;
  readonly #page: Page;
  #now: Followed | null = null;
  /** The next press on play takes over. */
  #takeOver = false;
  /** Counts the beginnings: only the last one's answer counts. */
  #begun = 0;

  constructor(engine: Engine, places: Places, page: Page) {
    this.#engine = engine;
    this.#places = places;
    this.#page = page;
    engine.subscribe(this.#follow);
    this.#follow();
  }

  /** The member's answer: carry on here, or leave it there. */
  answer(here: boolean): void {
    this.asked.set(null);
    if (!here) return;
    this.#takeOver = true;
    this.#engine.unlock();
    this.#engine.play();
  }

  /** The page may be gone in a moment. */
  leave(): void {
    const now = this.#now;
    if (now && (now.wanted || this.#isUnwritten(now))) void this.#write(now, false);
  }

  /** The page is out of sight, and may be ended without a word; its sound goes on. */
  hide(): void {
    const now = this.#now;
    if (now && this.#isUnwritten(now)) void this.#write(now, now.wanted);
  }

  /** The network is back. */
  online(): void {
    const now = this.#now;
    if (!now) return;
    if (now.unsent) void this.#write(now, now.wanted);
    if (now.lost && !now.asking && this.#isWorthATurn(now)) void this.#begin(now);
  }

  #follow = (): void => {
    const { recording, positionMs, durationMs, wanted, state } = this.#engine.snapshot();
    if (recording?.id !== this.#now?.id) this.#turnTo(recording?.id);
    const now = this.#now;
    if (!now) return;
    const before = now.wanted;
    now.wanted = wanted;
    now.durationMs = durationMs;
    now.positionMs = state === "ended" ? durationMs : positionMs;
    if (wanted && !before) void this.#begin(now);
    else if (before && !wanted) void this.#write(now, false);
    else if (Math.abs(now.positionMs - now.writtenMs) >= WRITE_MS) this.#goesOn(now);
  };

  /** Another recording is in the player, or none. */
  #turnTo(id: string | undefined): void {
    const before = this.#now;
    this.#now = null;
    this.#begun++;
    this.#takeOver = false;
    this.asked.set(null);
    if (before && (before.wanted || this.#isUnwritten(before))) void this.#write(before, false);
    const uid = this.#page.uid();
    const item = id === undefined ? undefined : itemOf(id);
    if (id === undefined || !item || uid === undefined) return;
    const place = { fromMs: 0, writtenMs: 0, positionMs: 0, durationMs: 0 };
    const answers = {
      turn: 0n,
      step: 0n,
      asking: false,
      lost: false,
      refused: false,
      unsent: false,
      failures: 0,
    };
    const now = { id, item, uid, wanted: false, ...place, ...answers };
    this.#now = now;
    // The player loads it, then seeks to the place that this tab knows, and may play it at once.
    queueMicrotask(() => void this.#open(now));
  }

  /** Asks where the member stopped, unless the press on play asks already. */
  async #open(now: Followed): Promise<void> {
    if (now !== this.#now || now.wanted) return;
    now.fromMs = now.writtenMs = this.#engine.position();
    try {
      const { turn, positionMs } = await this.#places.get(now.item);
      if (now === this.#now && !now.turn) this.#catchUp(now, turn, positionMs);
    } catch {
      // Then it begins where this tab knows it.
    }
  }

  /** Asks for a turn. Until there is one, that of the last press writes. */
  async #begin(now: Followed): Promise<void> {
    const begun = ++this.#begun;
    const takeOver = this.#takeOver;
    this.#takeOver = false;
    if (!now.lost) now.fromMs = now.writtenMs = this.#engine.position();
    now.lost = false;
    if (now.refused) return;
    now.asking = true;
    try {
      const answer = await this.#places.start(now.item, takeOver);
      if (begun !== this.#begun) return;
      now.asking = false;
      now.failures = 0;
      // Where the sound was paused before the answer came, the other device is left alone.
      if (!answer.otherDevice) this.#take(now, answer);
      else if (now.wanted) this.#ask(answer.otherTitle);
    } catch (cause) {
      if (begun !== this.#begun) return;
      now.asking = false;
      now.lost = this.#later(now, cause, () => {
        if (now === this.#now && begun === this.#begun && now.lost && this.#isWorthATurn(now))
          void this.#begin(now);
      });
      now.refused = !now.lost;
    }
  }

  /** It plays, or was paused at a place that is not written. */
  #isWorthATurn(now: Followed): boolean {
    return now.wanted || this.#isUnwritten(now);
  }

  /** Has a call that failed made again after a pause, unless too many have; answers false where it was refused for good. */
  #later(now: Followed, cause: unknown, run: () => void): boolean {
    const pause = pauseBefore(cause, ++now.failures, this.#page.draw());
    if (pause === undefined) return false;
    if (now.failures <= MOST_FAILURES) this.#page.later(run, pause);
    else if (now.failures === MOST_FAILURES + 1) this.#page.sayLost();
    return true;
  }

  #take(now: Followed, { turn, lastTurn, positionMs }: StartListeningResponse): void {
    const elsewhere = lastTurn > this.#page.turnIn(now.id);
    this.#catchUp(now, lastTurn, positionMs);
    now.turn = turn;
    now.step = 0n;
    this.#page.keepTurn(now.id, turn);
    if (now.wanted) return;
    // What another device has heard meanwhile may be later than what was paused here.
    if (elsewhere) now.writtenMs = now.positionMs;
    else void this.#write(now, false);
  }

  /** Takes the place of a later turn than this tab knows, while hardly anything was played. */
  #catchUp(now: Followed, turn: bigint, positionMs: bigint): void {
    if (turn <= this.#page.turnIn(now.id)) return;
    if (Math.abs(this.#engine.position() - now.fromMs) > LITTLE_MS) return;
    this.#page.keepTurn(now.id, turn);
    now.fromMs = now.writtenMs = Number(positionMs);
    this.#engine.seek(now.fromMs);
  }

  #ask(title: string): void {
    this.#engine.pause();
    this.asked.set({ title });
  }

  #goesOn(now: Followed): void {
    if (!now.asking && !now.lost) void this.#write(now, now.wanted);
  }

  #isUnwritten(now: Followed): boolean {
    return now.unsent || Math.abs(now.positionMs - now.writtenMs) >= SAME_MS;
  }

  async #write(now: Followed, playing: boolean): Promise<void> {
    const { item, turn, positionMs, durationMs } = now;
    if (!turn || now.uid !== this.#page.uid()) return;
    now.writtenMs = positionMs;
    now.unsent = false;
    try {
      const place = { positionMs: whole(positionMs), durationMs: whole(Math.max(1, durationMs)) };
      const saved = await this.#places.save({ item, turn, step: ++now.step, ...place, playing });
      const { moved, diaryEntryId } = saved;
      now.failures = 0;
      if (diaryEntryId && diaryEntryId !== this.#offered) this.line.set((this.#offered = diaryEntryId));
      // Where a turn is being asked for, it may be this tab's own that has begun since.
      if (moved && now.turn === turn && !now.asking) this.#yield(now);
    } catch (cause) {
      if (now.turn !== turn) return;
      const again = () => {
        if (now.unsent && now.turn === turn) void this.#write(now, now === this.#now && now.wanted);
      };
      now.unsent = this.#later(now, cause, again);
    }
  }

  /** Listening goes on elsewhere: this tab writes no more, and falls silent. */
  #yield(now: Followed): void {
    now.turn = 0n;
    if (now !== this.#now || !now.wanted) return;
    this.#engine.pause();
    this.#page.sayMoved();
  }
}

const whole = (ms: number): bigint => BigInt(Math.floor(ms));

/** A part of Data, for the page's one player. */
export const createListening =
  (sayMoved: () => void, sayLost: () => void) =>
  (data: Data): Listening => {
    const uid = () => data.session.get().member?.uid;
    const listening = new Listening(data.part(createPlayer).engine, placesOf(data), {
      uid,
      turnIn,
      keepTurn,
      sayMoved,
      sayLost,
      later: (run, ms) => void setTimeout(run, ms),
      draw: Math.random,
    });
    onMemberChange(data.session, () => {
      forgetTurn();
      listening.line.set("");
    });
    window.addEventListener("online", () => listening.online());
    window.addEventListener("pagehide", () => listening.leave());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") listening.hide();
    });
    return listening;
  };
