import { describe, expect, it, vi } from "vitest";
import { MOST_FAILURES, RETRY_MS } from "./ambience";
import { PlayerEngine, POLL_MS, START_DELAY_MS } from "./engine";
import { FakeWorld, flushPromises } from "./testing/fakes";
import type { Loop, Recording } from "./types";

const rain: Loop = { id: "rain", url: "/rain.mp3", startMs: 1000, lengthMs: 30_000 };
const ocean: Loop = { id: "ocean", url: "/ocean.mp3", startMs: 500, lengthMs: 20_000 };

/** A recording of ten-second passages. */
function narrated(passages: number, more: Partial<Recording> = {}): Recording {
  return {
    id: "m1",
    title: "After the long meeting",
    artist: "Maren",
    passages: Array.from({ length: passages }, (_, index) => ({
      index,
      startMs: index * 10_000,
      durationMs: 10_000,
      url: `/s/${index}`,
    })),
    durationMs: 60_000,
    complete: false,
    ...more,
  };
}

const whole = (): Recording => narrated(6, { url: "/whole", complete: true });

function start(recording: Recording) {
  const world = new FakeWorld();
  const engine = new PlayerEngine(world.ports());
  engine.load(recording);
  return { world, engine, audio: world.audio, state: () => engine.snapshot().state };
}

const refused = (status: number) => () => Promise.resolve(new Response(null, { status }));

/** Presses play and lets the sound come; `answer` is the network's, where it is another than usual. */
function playing(recording: Recording, loop: Loop | null = null, answer?: FakeWorld["answer"]) {
  const all = start(recording);
  if (answer) all.world.answer = answer;
  all.engine.setTrack(loop);
  all.engine.play();
  all.world.pass(START_DELAY_MS);
  all.audio.arrive();
  return all;
}

describe("states", () => {
  it("are entered by the element's events, never by the request", () => {
    const { engine, world, audio, state } = start(whole());
    expect(state()).toBe("loading");
    audio.say("canplay");
    expect(state()).toBe("ready");
    engine.play();
    world.pass(START_DELAY_MS);
    expect(state()).toBe("ready");
    audio.say("playing");
    expect(state()).toBe("playing");
    audio.say("waiting");
    expect(state()).toBe("buffering");
    audio.say("playing");
    engine.pause();
    expect(state()).toBe("paused");
  });

  it("are playing when time runs after a wait, whether the element says so or not", () => {
    const { audio, state } = playing(whole());
    audio.currentTime = 17;
    audio.say("waiting");
    audio.say("timeupdate");
    expect(state()).toBe("buffering");
    audio.currentTime = 17.6;
    audio.say("timeupdate");
    expect(state()).toBe("playing");
  });

  it("a place sought while it waits is no running time", () => {
    const { audio, engine, state } = playing(whole());
    audio.say("waiting");
    engine.seek(41_000);
    audio.say("seeked");
    audio.say("timeupdate");
    expect(state()).toBe("buffering");
  });

  it("start the sound 300 ms after the request, and not at all when it is taken back", () => {
    const { engine, world, audio } = start(whole());
    engine.play();
    expect(engine.snapshot().wanted).toBe(true);
    world.pass(START_DELAY_MS - 1);
    expect(audio.plays).toBe(0);
    engine.pause();
    world.pass(1000);
    expect(audio.plays).toBe(0);
    expect(engine.snapshot().wanted).toBe(false);
  });

  it("say so when the browser refuses to start without another press", async () => {
    const { engine, world, audio } = start(whole());
    audio.refuse = true;
    engine.play();
    world.pass(START_DELAY_MS);
    await flushPromises();
    expect(engine.snapshot()).toMatchObject({ blocked: true, wanted: false });
    audio.refuse = false;
    engine.play();
    world.pass(START_DELAY_MS);
    audio.arrive();
    expect(engine.snapshot()).toMatchObject({ blocked: false, state: "playing" });
  });

  it("follow a pause that the system made", () => {
    const { audio, engine, state } = playing(whole());
    audio.pause();
    expect(state()).toBe("paused");
    expect(engine.snapshot().wanted).toBe(false);
  });

  it("keep the place after a failure, and play takes it up there", () => {
    const { audio, engine, world, state } = playing(whole());
    audio.currentTime = 21;
    audio.say("error");
    expect(state()).toBe("failed");
    engine.play();
    world.pass(START_DELAY_MS);
    audio.arrive();
    expect(state()).toBe("playing");
    expect(engine.position()).toBe(21_000);
  });

  it("go on by themselves when the network that failed them returns", () => {
    const { audio, world, state } = playing(whole());
    audio.say("error");
    world.comeBack();
    world.pass(START_DELAY_MS);
    audio.arrive();
    expect(state()).toBe("playing");
  });
});

describe("passages", () => {
  it("play one after another in one element on one timeline", () => {
    const { audio, engine, state } = playing(narrated(3));
    audio.currentTime = 9;
    expect(engine.position()).toBe(9_000);
    audio.finish();
    expect(audio.sources).toEqual(["/s/0", "/s/1"]);
    expect(state()).toBe("playing");
    expect(engine.position()).toBe(10_000);
    audio.arrive();
    audio.currentTime = 2;
    expect(engine.position()).toBe(12_000);
  });

  it("are fetched one ahead, so that the join is short", async () => {
    const { audio, world } = playing(narrated(3));
    await flushPromises();
    expect(world.fetched).toEqual(["/s/1"]);
    audio.finish();
    expect(audio.src).toMatch(/^blob:/);
  });

  it("fall back to their address when a stored piece may not be played", async () => {
    const { audio, engine, state } = playing(narrated(3));
    await flushPromises();
    audio.finish();
    audio.say("error");
    expect(audio.src).toBe("/s/1");
    audio.arrive();
    expect(state()).toBe("playing");
    expect(engine.position()).toBe(10_000);
  });

  it("wait at the end of what is narrated and go on by themselves", () => {
    const { audio, engine, state } = playing(narrated(1));
    audio.finish();
    expect(state()).toBe("buffering");
    expect(engine.position()).toBe(10_000);
    engine.load(narrated(2));
    audio.arrive();
    expect(state()).toBe("playing");
    expect(audio.src).toBe("/s/1");
  });

  it("begin by themselves when play was pressed before the first one was narrated", () => {
    const { audio, engine, world, state } = start(narrated(0));
    engine.play();
    world.pass(START_DELAY_MS);
    engine.load(narrated(1));
    audio.arrive();
    expect(state()).toBe("playing");
  });

  it("stay paused when a pause came while waiting", () => {
    const { audio, engine, state } = playing(narrated(1));
    audio.finish();
    engine.pause();
    expect(state()).toBe("paused");
    engine.load(narrated(2));
    expect(audio.paused).toBe(true);
    expect(engine.position()).toBe(10_000);
  });

  it("end where the last one ends", () => {
    const { audio, engine, state } = playing(narrated(1, { complete: true, durationMs: 10_000 }));
    audio.finish();
    expect(state()).toBe("ended");
    expect(engine.position()).toBe(10_000);
  });
});

describe("seeking", () => {
  it("maps a moment to its passage and the place in it", () => {
    const { audio, engine } = playing(narrated(3));
    engine.seek(24_000);
    expect(audio.src).toBe("/s/2");
    expect(engine.position()).toBe(24_000);
    audio.arrive();
    expect(audio.currentTime).toBe(4);
    expect(engine.position()).toBe(24_000);
  });

  it("stays in the element where the passage is the same", () => {
    const { audio, engine } = playing(narrated(3));
    engine.seek(4_000);
    expect(audio.sources).toEqual(["/s/0"]);
    expect(audio.currentTime).toBe(4);
  });

  it("does not leave what is ready", () => {
    const { engine } = playing(narrated(2));
    engine.seek(50_000);
    expect(engine.position()).toBeLessThan(20_000);
    expect(engine.position()).toBeGreaterThan(19_000);
    engine.seek(-5_000);
    expect(engine.position()).toBe(0);
  });
});

describe("the whole file", () => {
  it("takes over at a pause, at the same moment", () => {
    const { audio, engine, state } = playing(narrated(3));
    audio.currentTime = 7;
    engine.load(whole());
    expect(audio.src).toBe("/s/0");
    engine.pause();
    expect(audio.src).toBe("/whole");
    expect(state()).toBe("paused");
    audio.arrive();
    expect(audio.currentTime).toBe(7);
    expect(state()).toBe("paused");
  });

  it("takes over at a seek and plays on", () => {
    const { audio, engine, state } = playing(narrated(3));
    engine.load(whole());
    engine.seek(41_000);
    expect(audio.src).toBe("/whole");
    audio.arrive();
    expect(engine.position()).toBe(41_000);
    expect(state()).toBe("playing");
  });

  it("takes over at once while nothing sounds", () => {
    const { audio, engine } = start(narrated(2));
    audio.arrive();
    engine.load(whole());
    expect(audio.src).toBe("/whole");
  });

  it("stands in for a passage that cannot be had", () => {
    const { audio, engine, state } = playing(narrated(3));
    engine.load(whole());
    audio.currentTime = 4;
    audio.say("error");
    expect(audio.src).toBe("/whole");
    audio.arrive();
    expect(state()).toBe("playing");
    expect(engine.position()).toBe(4_000);
  });

  it("is not needed to hear the passages to the end", () => {
    const { audio, engine, state } = playing(narrated(2));
    engine.load(narrated(2, { url: "/whole", complete: true, durationMs: 20_000 }));
    audio.finish();
    audio.arrive();
    audio.finish();
    expect(audio.sources.filter((s) => s === "/whole")).toEqual([]);
    expect(state()).toBe("ended");
  });
});

describe("the ambience", () => {
  it("loops its window and fades in over a second in 20 steps on the audio clock", async () => {
    const { world } = playing(whole(), rain);
    await flushPromises();
    const [source] = world.context.sources;
    expect(source).toMatchObject({ loop: true, loopStart: 1, loopEnd: 31, startedFrom: 1 });
    const [curve] = world.context.gains[0]?.gain.curves() ?? [];
    expect(curve).toMatchObject({ at: 0, seconds: 1, from: 0, points: 21 });
    expect(curve?.to).toBeCloseTo(0.45);
  });

  it("fades out over two seconds when the voice has ended, and then stops", async () => {
    const { world, audio } = playing(whole(), rain);
    await flushPromises();
    world.context.currentTime = 60;
    audio.finish();
    const curves = world.context.gains[0]?.gain.curves() ?? [];
    expect(curves.at(-1)).toMatchObject({ at: 60, seconds: 2, to: 0, points: 21 });
    expect(world.context.sources[0]?.stopsAt).toBe(62);
  });

  it("lets a late fade end without touching a newer sound", async () => {
    const { world, audio, engine } = playing(whole(), rain);
    await flushPromises();
    world.context.currentTime = 60;
    audio.finish();
    engine.play();
    world.pass(START_DELAY_MS);
    audio.arrive();
    await flushPromises();
    const [old, young] = world.context.gains;
    expect(old?.gain.curves().at(-1)).toMatchObject({ to: 0 });
    expect(young?.gain.curves()).toHaveLength(1);
    expect(world.context.sources[1]).toMatchObject({ stopsAt: null, startedFrom: 1 });
  });

  it("does not start when its sound arrives after a pause", async () => {
    let give: (r: Response) => void = () => {};
    const { world, engine } = start(whole());
    world.answer = () =>
      new Promise((done) => {
        give = done;
      });
    engine.setTrack(rain);
    engine.play();
    world.pass(START_DELAY_MS);
    world.audio.arrive();
    engine.pause();
    give(new Response("late"));
    await flushPromises();
    expect(world.context.sources).toEqual([]);
    expect(engine.snapshot().ambience).toBe("off");
  });

  it("remembers its place over a pause, as the voice does", async () => {
    const { world, audio, engine } = playing(whole(), rain);
    await flushPromises();
    audio.currentTime = 42;
    world.context.currentTime = 42;
    engine.pause();
    expect(world.context.sources[0]?.stopsAt).toBeCloseTo(42.2);
    engine.play();
    world.pass(START_DELAY_MS);
    audio.say("playing");
    await flushPromises();
    expect(world.context.sources[1]?.startedFrom).toBeCloseTo(1 + 12);
    expect(engine.position()).toBe(42_000);
  });

  it("changes while playing, and can be left out", async () => {
    const { world, engine } = playing(whole(), rain);
    await flushPromises();
    engine.setTrack(ocean);
    await flushPromises();
    expect(world.context.sources[0]?.stopsAt).not.toBeNull();
    expect(world.context.sources[1]?.loopStart).toBe(0.5);
    engine.setTrack(null);
    expect(engine.snapshot()).toMatchObject({ ambience: "off", state: "playing", loop: null });
  });

  it("that cannot be had leaves the voice alone", async () => {
    const { engine, state } = playing(whole(), rain, refused(404));
    await flushPromises();
    expect(state()).toBe("playing");
    expect(engine.snapshot().ambience).toBe("unavailable");
  });

  it("that could not be had joins in as soon as it can, and is not asked for after the end", async () => {
    const { world, engine } = playing(whole(), rain, refused(503));
    await flushPromises();
    const said = new Set<string>();
    engine.subscribe(() => said.add(engine.snapshot().ambience));
    world.pass(RETRY_MS);
    await flushPromises();
    world.answer = () => Promise.resolve(new Response("sound"));
    world.pass(RETRY_MS);
    await flushPromises();
    expect([...said], "without a word in between").toEqual(["unavailable", "on"]);
    expect(engine.snapshot().ambience).toBe("on");

    world.answer = refused(503);
    engine.setTrack(ocean);
    await flushPromises();
    engine.pause();
    const asked = world.fetched.length;
    world.pass(RETRY_MS);
    await flushPromises();
    expect(world.fetched.length).toBe(asked);
  });

  it("that never comes is given up, until the page returns", async () => {
    const { world, engine } = playing(whole(), rain, refused(503));
    await flushPromises();
    const loops = () => world.fetched.filter((url) => url === rain.url).length;
    for (let n = 0; n < MOST_FAILURES + 5; n++) {
      world.pass(RETRY_MS);
      await flushPromises();
    }
    expect(loops()).toBe(MOST_FAILURES);
    expect(engine.snapshot().ambience).toBe("unavailable");
    world.answer = () => Promise.resolve(new Response("sound"));
    world.comeBack();
    await flushPromises();
    expect(engine.snapshot().ambience).toBe("on");
  });

  it("is taken up again when the system held it and the page returns", async () => {
    const { world } = playing(whole(), rain);
    await flushPromises();
    const before = world.context.resumes;
    world.context.state = "suspended";
    world.comeBack();
    expect(world.context.resumes).toBe(before + 1);
  });

  it("keeps sounding while the voice waits for its next passage", async () => {
    const { world, audio, engine } = playing(narrated(1), rain);
    await flushPromises();
    audio.finish();
    expect(engine.snapshot()).toMatchObject({ state: "buffering", ambience: "on" });
    expect(world.context.sources[0]?.stopsAt).toBeNull();
  });
});

describe("reset and replacement", () => {
  it("reset returns to the start at rest", () => {
    const { audio, engine } = playing(whole(), rain);
    audio.currentTime = 30;
    engine.pause();
    engine.reset();
    audio.say("seeked");
    expect(engine.snapshot()).toMatchObject({ state: "ready", positionMs: 0, wanted: false });
  });

  it("play after the end begins again", () => {
    const { audio, engine, world, state } = playing(whole());
    audio.finish();
    engine.play();
    expect(audio.currentTime).toBe(0);
    world.pass(START_DELAY_MS);
    audio.say("playing");
    expect(state()).toBe("playing");
  });

  it("another recording stops this one", () => {
    const { audio, engine, state } = playing(whole());
    engine.load({ ...whole(), id: "m2", url: "/other" });
    expect(audio.paused).toBe(true);
    expect(audio.src).toBe("/other");
    expect(state()).toBe("loading");
    expect(engine.snapshot().wanted).toBe(false);
  });

  it("an unlocked element is silent and publishes nothing", () => {
    const world = new FakeWorld();
    const engine = new PlayerEngine(world.ports());
    engine.unlock();
    world.audio.arrive();
    world.audio.finish();
    expect(world.audio.plays).toBe(1);
    expect(engine.snapshot().state).toBe("idle");
    expect(world.context.state).toBe("running");
  });

  it("a press makes no audio context where one was prepared, and preparing is silent", () => {
    const world = new FakeWorld();
    const ports = world.ports();
    const createContext = vi.fn(ports.createContext);
    const engine = new PlayerEngine({ ...ports, createContext });
    engine.prepare();
    expect(createContext).toHaveBeenCalledTimes(1);
    expect(world.context.state).toBe("suspended");
    engine.unlock();
    expect(createContext).toHaveBeenCalledTimes(1);
    expect(world.context.state).toBe("running");
  });
});

it("polls progress every 100 ms while playing and rests otherwise", () => {
  const { world, audio, engine } = playing(whole());
  let published = 0;
  engine.subscribe(() => published++);
  world.pass(10 * POLL_MS);
  expect(published).toBe(10);
  audio.currentTime = 3;
  world.pass(POLL_MS);
  expect(engine.snapshot().positionMs).toBe(3_000);
  engine.pause();
  const after = published;
  world.pass(10 * POLL_MS);
  expect(published).toBe(after);
});

it("sets the two volumes apart", () => {
  const { world, engine } = playing(whole());
  engine.setVolumes({ voice: 0.5 });
  engine.setVolumes({ ambience: 0.2 });
  expect(engine.snapshot()).toMatchObject({ voiceVolume: 0.5, ambienceVolume: 0.2 });
  expect(world.audio.volume).toBe(0.5);
});
