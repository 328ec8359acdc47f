import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PlayerEngine, START_DELAY_MS } from "./engine";
import { FakeWorld, flushPromises } from "./testing/fakes";
import type { Recording } from "./types";

class FakeMetadata {
  readonly init: MediaMetadataInit;
  constructor(init: MediaMetadataInit) {
    this.init = init;
  }
}

beforeEach(() => vi.stubGlobal("MediaMetadata", FakeMetadata));
afterEach(() => vi.unstubAllGlobals());

const RECORDING: Recording = {
  id: "m1",
  title: "The lake after rain",
  artist: "Maren",
  picture: "/media/assets/abc/lake.jpeg",
  passages: [{ index: 0, startMs: 0, durationMs: 100_000, url: "/a" }],
  url: "/a",
  durationMs: 100_000,
  complete: true,
};

/** A lock screen: what it shows, and its buttons. */
function lockScreen() {
  const buttons = new Map<string, MediaSessionActionHandler>();
  const places: MediaPositionState[] = [];
  const session = {
    metadata: null as unknown as FakeMetadata | null,
    playbackState: "none",
    setActionHandler: (action: string, run: MediaSessionActionHandler) => {
      if (action === "skipad") throw new TypeError("unknown");
      buttons.set(action, run);
    },
    setPositionState: (place: MediaPositionState) => places.push(place),
  };
  const press = (action: string, details: object = {}) =>
    buttons.get(action)?.({ action, ...details } as MediaSessionActionDetails);
  return { session, places, press };
}

async function open() {
  const world = new FakeWorld();
  const lock = lockScreen();
  const engine = new PlayerEngine({
    ...world.ports(),
    mediaSession: lock.session as unknown as MediaSession,
  });
  engine.setTrack({ id: "rain", url: "/rain", startMs: 0, lengthMs: 1000 });
  engine.load(RECORDING);
  const play = async () => {
    lock.press("play");
    world.pass(START_DELAY_MS);
    world.audio.arrive();
    await flushPromises();
  };
  return { ...lock, world, engine, play };
}

it("shows what was drawn for a recording without a picture, and for no other", async () => {
  const { session, engine } = await open();
  engine.load({ ...RECORDING, id: "m0", picture: undefined });
  engine.setPicture("m0", "data:image/png;base64,AA");
  expect(session.metadata?.init.artwork?.map(({ src }) => src)).toEqual([
    "data:image/png;base64,AA",
    "/apple-touch-icon.png",
  ]);
  engine.load({ ...RECORDING, id: "m2", picture: undefined });
  expect(session.metadata?.init.artwork?.map(({ src }) => src)).toEqual(["/apple-touch-icon.png"]);
});

it("shows title, narrator and the recording's picture, with the app's own behind it", async () => {
  const { session } = await open();
  expect(session.metadata?.init).toMatchObject({ title: "The lake after rain", artist: "Maren" });
  expect(session.metadata?.init.artwork?.map(({ src }) => src)).toEqual([
    "/media/assets/abc/lake.jpeg",
    "/apple-touch-icon.png",
  ]);
});

it("plays, pauses and stops both sounds", async () => {
  const { session, world, engine, press, play } = await open();
  await play();
  expect(session.playbackState).toBe("playing");
  expect(engine.snapshot()).toMatchObject({ state: "playing", ambience: "on" });
  press("pause");
  expect(session.playbackState).toBe("paused");
  expect(engine.snapshot()).toMatchObject({ state: "paused", ambience: "off" });
  expect(world.context.sources[0]?.stopsAt).not.toBeNull();
  await play();
  press("stop");
  expect(engine.snapshot()).toMatchObject({ wanted: false, ambience: "off" });
});

it("seeks to a place and by steps, and shows the place with its speed", async () => {
  const { engine, places, press, play } = await open();
  await play();
  press("seekto", { seekTime: 40 });
  expect(engine.position()).toBe(40_000);
  press("seekbackward");
  expect(engine.position()).toBe(25_000);
  press("seekforward", { seekOffset: 5 });
  expect(engine.position()).toBe(30_000);
  expect(places.at(-1)).toEqual({ duration: 100, position: 30, playbackRate: 1 });
  engine.setRate(1.2);
  expect(places.at(-1)).toEqual({ duration: 100, position: 30, playbackRate: 1.2 });
});

it("takes everything back that another sound of the page has had", async () => {
  const { session, engine, press, play } = await open();
  const taken = () => {
    session.metadata = null;
    session.playbackState = "none";
    for (const action of ["play", "pause"]) session.setActionHandler(action, () => undefined);
  };
  taken();
  engine.takeLockScreen();
  expect(session.metadata).toMatchObject({ init: { title: "The lake after rain" } });
  await play();
  expect(engine.snapshot().wanted).toBe(true);
  press("pause");
  taken();
  engine.play();
  expect(session.metadata).toMatchObject({ init: { title: "The lake after rain" } });
  press("pause");
  expect(engine.snapshot().wanted).toBe(false);
});

it("shows nothing once the player is empty", async () => {
  const { session, engine } = await open();
  engine.unload();
  expect(session).toMatchObject({ metadata: null, playbackState: "none" });
});
