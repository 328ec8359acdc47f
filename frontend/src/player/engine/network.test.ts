import { describe, expect, it } from "vitest";
import { PlayerEngine, START_DELAY_MS } from "./engine";
import { FakeWorld, flushPromises } from "./testing/fakes";
import type { Recording } from "./types";

/** The line is lost and comes back, in each state of the player. */

const recording = (passages = 6, whole = true): Recording => ({
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
  complete: whole,
  ...(whole && { url: "/whole" }),
});

function open(what = recording(), answer?: FakeWorld["answer"]) {
  const world = new FakeWorld();
  if (answer) world.answer = answer;
  const engine = new PlayerEngine(world.ports());
  engine.load(what);
  const { audio } = world;
  const press = () => {
    engine.play();
    world.pass(START_DELAY_MS);
  };
  /** The line is back: what the engine asks for arrives. */
  const back = () => {
    world.comeBack();
    world.pass(START_DELAY_MS);
    audio.arrive();
  };
  return { world, engine, audio, press, back, now: () => engine.snapshot() };
}

describe("the network lost and back", () => {
  it("while it loads and nobody has pressed play: it stays silent, and a press takes it up", () => {
    const { audio, press, back, now } = open();
    audio.say("error");
    expect(now().state).toBe("failed");
    back();
    expect(now().wanted).toBe(false);
    press();
    audio.arrive();
    expect(now().state).toBe("playing");
  });

  it("while it loads after a press: it begins by itself", () => {
    const { audio, press, back, now } = open();
    press();
    audio.say("error");
    expect(now()).toMatchObject({ state: "failed", wanted: false });
    back();
    expect(now().state).toBe("playing");
  });

  it("while it is ready or paused: nothing changes, and it goes on at its place", () => {
    const { audio, press, back, now } = open();
    audio.arrive();
    back();
    expect(now().state).toBe("ready");
    press();
    audio.arrive();
    audio.currentTime = 21;
    audio.pause();
    back();
    expect(now()).toMatchObject({ state: "paused", wanted: false, positionMs: 21_000 });
    press();
    audio.say("playing");
    expect(now()).toMatchObject({ state: "playing", positionMs: 21_000 });
  });

  it("paused, where the source fails: it stays silent, and a press goes on at its place", () => {
    const { audio, press, back, now } = open();
    press();
    audio.arrive();
    audio.currentTime = 21;
    audio.pause();
    audio.say("error");
    back();
    expect(now().wanted).toBe(false);
    press();
    audio.arrive();
    expect(now()).toMatchObject({ state: "playing", positionMs: 21_000 });
  });

  it("while it plays: what has loaded plays on, and the next passage follows once it can be had", async () => {
    const offline = () => Promise.reject(new TypeError("Failed to fetch"));
    const { audio, press, back, now } = open(recording(2, false), offline);
    press();
    audio.arrive();
    await flushPromises();
    expect(now().state).toBe("playing");
    audio.finish();
    audio.say("error");
    expect(now()).toMatchObject({ state: "failed", positionMs: 10_000 });
    back();
    expect(now()).toMatchObject({ state: "playing", positionMs: 10_000 });
  });

  it("while it waits for the rest of a file: it is asked for again at its place", () => {
    const { audio, press, back, now } = open();
    press();
    audio.arrive();
    audio.currentTime = 33;
    audio.say("waiting");
    expect(now().state).toBe("buffering");
    back();
    expect(audio.sources).toEqual(["/whole", "/whole"]);
    expect(now()).toMatchObject({ state: "playing", positionMs: 33_000 });
  });

  it("while it waits for a passage that is still narrated: nothing is asked for, and it goes on by itself", () => {
    const { engine, audio, press, back, now } = open(recording(1, false));
    press();
    audio.arrive();
    audio.finish();
    expect(now().state).toBe("buffering");
    back();
    expect(audio.sources).toEqual(["/s/0"]);
    engine.load(recording(2, false));
    audio.arrive();
    expect(now()).toMatchObject({ state: "playing", positionMs: 10_000 });
  });

  it("at the end: it stays there", () => {
    const { audio, press, back, now } = open();
    press();
    audio.arrive();
    audio.finish();
    back();
    expect(now()).toMatchObject({ state: "ended", wanted: false });
  });

  it("after a failure that a press on pause has answered: it stays silent", () => {
    const { engine, audio, press, back, now } = open();
    press();
    audio.arrive();
    audio.say("error");
    engine.pause();
    back();
    expect(now().wanted).toBe(false);
  });
});
