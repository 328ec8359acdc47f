import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import { MeditationSchema, SegmentSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { Choices } from "./choices";
import { PlayerEngine, START_DELAY_MS } from "./engine/engine";
import { FakeWorld } from "./engine/testing/fakes";
import type { Loop } from "./engine/types";
import type { LiveState } from "@/data/live-meditation";
import { LiveMeditation } from "@/data/live-meditation";
import { Player } from "./player";

/** A live meditation whose state the test sets. */
class FakeLive extends LiveMeditation {
  #current: LiveState;
  #notify: () => void = () => {};
  subscribers = 0;

  constructor(id: string) {
    super(id, null as never);
    this.#current = { id, meditation: null, segments: [], link: "connecting", trouble: null };
  }

  override state = () => this.#current;
  override subscribe = (listener: () => void) => {
    this.subscribers++;
    this.#notify = listener;
    return () => {
      this.subscribers--;
      this.#notify = () => {};
    };
  };

  emit(stage: Stage, segments: number): void {
    const { id } = this.#current;
    const meditation = create(MeditationSchema, {
      id,
      title: id,
      stage,
      expectedMs: 60_000n,
      track: { id: "rain", url: "/rain", loopStartMs: 0, loopLengthMs: 1000 },
    });
    const made = Array.from({ length: segments }, (_, index) =>
      create(SegmentSchema, {
        index,
        startMs: BigInt(index * 1000),
        durationMs: 1000n,
        audioUrl: `/${id}/${index}`,
      }),
    );
    this.#current = { ...this.#current, meditation, segments: made };
    this.#notify();
  }
}

function setUp(choices?: Choices, soundOf?: ConstructorParameters<typeof Player>[3]) {
  const world = new FakeWorld();
  const lives = new Map<string, FakeLive>();
  const live = (id: string) => {
    const known = lives.get(id) ?? new FakeLive(id);
    lives.set(id, known);
    return known;
  };
  const player = new Player(new PlayerEngine(world.ports()), live, choices, soundOf);
  return { world, player, live };
}

const loop = (id: string): Loop => ({ id, url: `/media/${id}`, startMs: 0, lengthMs: 1000 });

const recorded = (id: string) => ({
  id: `library/${id}`,
  title: id,
  narrator: "Maren",
  url: `/media/narrations/${id}.mp3`,
  seconds: 60,
  scene: "Mindfulness",
  seed: id,
  to: "/meditation-library",
  loop: null,
  immersive: true,
});

/** A member's choices on a device; `age` makes all of them a month old. */
function keptChoices() {
  const kept = new Map<string, string>();
  const area = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  vi.stubGlobal("window", { localStorage: area, sessionStorage: area });
  const choices = new Choices(() => "amara");
  const age = () =>
    choices.keep({
      loops: choices.read().loops.map((one) => ({ ...one, at: one.at - 31 * 24 * 3_600_000 })),
    });
  return { choices, age };
}

describe("the player", () => {
  it("begins by itself once a meditation asked for is known", () => {
    const { world, player, live } = setUp();
    player.open("a", { play: true });
    expect(world.audio.plays).toBe(0);
    live("a").emit(Stage.NARRATING, 1);
    world.pass(START_DELAY_MS);
    world.audio.arrive();
    expect(player.engine.snapshot()).toMatchObject({ state: "playing", loop: { id: "rain" } });
  });

  it("goes on undisturbed when the same meditation is opened again", () => {
    const { world, player, live } = setUp();
    player.open("a", { play: true });
    live("a").emit(Stage.NARRATING, 1);
    world.pass(START_DELAY_MS);
    world.audio.arrive();
    player.open("a");
    expect(player.engine.snapshot().state).toBe("playing");
    expect(live("a").subscribers).toBe(1);
  });

  it("keeps the listener's choice of ambience while passages arrive", () => {
    const { player, live } = setUp();
    player.open("a");
    live("a").emit(Stage.NARRATING, 1);
    player.engine.setTrack(null);
    live("a").emit(Stage.NARRATING, 2);
    expect(player.engine.snapshot().loop).toBeNull();
    expect(player.engine.snapshot().readyMs).toBe(2000);
  });

  it("follows one meditation at a time", () => {
    const { player, live } = setUp();
    player.open("a");
    live("a").emit(Stage.READY, 1);
    player.open("b");
    expect(live("a").subscribers).toBe(0);
    expect(player.now.get()).toBeNull();
    live("b").emit(Stage.READY, 1);
    expect(player.now.get()?.meditation?.id).toBe("b");
  });

  it.each([Stage.CANCELLED, Stage.FAILED, Stage.REFUNDED])("unloads what came to nothing: %i", (stage) => {
    const { player, live } = setUp();
    player.open("a");
    live("a").emit(Stage.NARRATING, 1);
    live("a").emit(stage, 1);
    expect(player.id).toBeNull();
    expect(player.engine.snapshot().recording).toBeNull();
  });

  it("counts the full players on the page", () => {
    const { player } = setUp();
    const leave = player.showFull();
    expect(player.fullPlayers.get()).toBe(1);
    leave();
    expect(player.fullPlayers.get()).toBe(0);
  });

  it("remembers the sound beneath each recording of the library, whatever was chosen for another", () => {
    const { choices } = keptChoices();
    const first = setUp(choices).player;
    first.openRecorded(recorded("lake"));
    first.chooseTrack(loop("rain"));
    first.openRecorded(recorded("hill"));
    first.chooseTrack(null);
    const later = setUp(choices).player;
    later.openRecorded({ ...recorded("lake"), loop: loop("warm") });
    expect(later.engine.snapshot().loop).toEqual(loop("rain"));
    later.openRecorded({ ...recorded("hill"), loop: loop("warm") });
    expect(later.engine.snapshot().loop).toBeNull();
    later.openRecorded({ ...recorded("sea"), loop: loop("warm") });
    expect(later.engine.snapshot().loop).toEqual(loop("warm"));
    vi.unstubAllGlobals();
  });

  it("plays a sound that was chosen long ago from the address that it has now", async () => {
    const { choices, age } = keptChoices();
    choices.keepLoop("library/lake", loop("rain"));
    age();
    const moved = { ...loop("rain"), url: "/media/rain-2" };
    const { player } = setUp(choices, (id) => Promise.resolve(id === "rain" ? moved : null));
    player.openRecorded(recorded("lake"));
    await expect.poll(() => player.engine.snapshot().loop).toEqual(moved);
    expect(choices.loopOf("library/lake")).toEqual(moved);
    expect(choices.isOld("library/lake")).toBe(false);
    vi.unstubAllGlobals();
  });

  it("shows a meditation without disturbing one that is being heard", () => {
    const { player, live } = setUp();
    player.open("a", { play: true });
    player.show("b");
    expect(player.id).toBe("a");
    live("a").emit(Stage.READY, 1);
    player.show("b");
    expect(player.id).toBe("a");
    player.engine.pause();
    player.show("b");
    expect(player.id).toBe("b");
  });

  it("goes on after a reload where it was left, and from the start once it was heard", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("window", {
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
        removeItem: (key: string) => kept.delete(key),
      },
    });
    const before = setUp();
    before.player.open("a");
    before.live("a").emit(Stage.READY, 60);
    before.player.play();
    before.player.engine.seek(40_000);

    const after = setUp();
    after.player.show("a");
    after.live("a").emit(Stage.READY, 60);
    expect(after.player.engine.position()).toBe(40_000);
    after.player.leave("a");
    expect(after.player.id, "shown only, it leaves nothing behind").toBeNull();

    after.player.open("a");
    after.live("a").emit(Stage.READY, 60);
    after.player.play();
    after.player.engine.seek(59_500);
    const heard = setUp();
    heard.player.open("a");
    heard.live("a").emit(Stage.READY, 60);
    expect(heard.player.engine.position()).toBe(0);
    vi.unstubAllGlobals();
  });

  it("leaves a page with nothing in it unless sound was asked for or heard", () => {
    const { player, live } = setUp();
    player.show("a");
    live("a").emit(Stage.READY, 1);
    player.leave("a");
    expect(player.id).toBeNull();

    player.open("b", { play: true });
    player.leave("b");
    expect(player.id, "it will play once it is loaded").toBe("b");

    live("b").emit(Stage.READY, 1);
    player.engine.pause();
    player.engine.seek(500);
    player.leave("b");
    expect(player.id, "its place is kept").toBe("b");
  });
});
