import { describe, expect, it } from "vitest";
import { PlayerEngine, START_DELAY_MS } from "./engine";
import { SLEEP_FADE_S } from "./sleep";
import { FakeWorld, flushPromises } from "./testing/fakes";
import type { Loop, Recording } from "./types";

const rain: Loop = { id: "rain", url: "/rain.mp3", startMs: 0, lengthMs: 30_000 };
const MINUTES = 60_000;
const FADE_MS = SLEEP_FADE_S * 1000;

const recording = (id = "m1"): Recording => ({
  id,
  title: "After the long meeting",
  artist: "Maren",
  passages: [{ index: 0, startMs: 0, durationMs: 30 * MINUTES, url: `/${id}` }],
  url: `/${id}`,
  durationMs: 30 * MINUTES,
  complete: true,
});

async function playing(loop: Loop | null = rain) {
  const world = new FakeWorld();
  const engine = new PlayerEngine(world.ports());
  const press = () => {
    engine.play();
    world.pass(START_DELAY_MS);
    world.audio.arrive();
  };
  engine.load(recording());
  engine.setTrack(loop);
  press();
  await flushPromises();
  return { world, engine, audio: world.audio, press, gain: () => world.context.gains.at(-1)?.gain };
}

describe("the sleep timer", () => {
  it("fades both sounds over 20 s when its minutes are over, pauses, and keeps the place", async () => {
    const { world, engine, audio, gain } = await playing();
    engine.setSleep(10);
    world.pass(10 * MINUTES - 1);
    expect(audio.volume).toBe(0.8);
    audio.currentTime = 600;
    world.pass(FADE_MS / 2);
    expect(audio.volume).toBeCloseTo(0.4, 1);
    expect(gain()?.curves().at(-1)).toMatchObject({ seconds: 20, to: 0 });
    expect(engine.snapshot().state).toBe("playing");
    audio.currentTime = 620;
    world.pass(FADE_MS / 2 + 200);
    expect(engine.snapshot()).toMatchObject({
      state: "paused",
      wanted: false,
      sleep: "off",
      positionMs: 620_000,
    });
    expect(audio.volume, "the next press is as loud as it was").toBe(0.8);
  });

  it("looks at the clock at each beat of the sound, so that a tab whose timers are held up is on time", async () => {
    const { world, engine, audio } = await playing();
    engine.setSleep(10);
    world.hold();
    world.pass(10 * MINUTES + FADE_MS);
    expect(engine.snapshot().wanted).toBe(true);
    audio.say("timeupdate");
    expect(engine.snapshot()).toMatchObject({ state: "paused", wanted: false });
  });

  it("lets the ambience go on after the voice until its minutes are over", async () => {
    const { world, engine, audio, gain } = await playing();
    engine.setSleep(10);
    audio.finish();
    expect(engine.snapshot()).toMatchObject({ state: "ended", wanted: true, ambience: "on" });
    world.pass(10 * MINUTES + 200);
    expect(gain()?.curves().at(-1)).toMatchObject({ seconds: 20, to: 0 });
    world.pass(FADE_MS);
    expect(engine.snapshot()).toMatchObject({ wanted: false, ambience: "off", sleep: "off" });
  });

  it("ends with the voice where nothing is beneath it", async () => {
    const { engine, audio } = await playing(null);
    engine.setSleep(10);
    audio.finish();
    expect(engine.snapshot()).toMatchObject({ state: "ended", wanted: false, sleep: "off" });
  });

  it("ends with the recording, over 20 s instead of two", async () => {
    const { engine, audio, gain } = await playing();
    engine.setSleep("end");
    audio.finish();
    expect(gain()?.curves().at(-1)).toMatchObject({ seconds: 20, to: 0 });
    expect(engine.snapshot()).toMatchObject({ wanted: false, sleep: "off" });
  });

  it("is taken back within the fade, and both sounds return", async () => {
    const { world, engine, audio, gain } = await playing();
    engine.setSleep(10);
    world.pass(10 * MINUTES + FADE_MS / 2);
    engine.setSleep("off");
    expect(audio.volume).toBe(0.8);
    expect(gain()?.curves().at(-1)?.to).toBeCloseTo(0.45);
    world.pass(FADE_MS);
    expect(engine.snapshot().state).toBe("playing");
  });

  it("outlives a pause and another recording, and never stops what was asked for after its time", async () => {
    const { world, engine, press } = await playing();
    engine.setSleep(20);
    engine.pause();
    expect(engine.snapshot().sleep).toBe(20);
    engine.load(recording("m2"));
    press();
    expect(engine.snapshot().sleep).toBe(20);
    engine.pause();
    world.pass(21 * MINUTES);
    press();
    expect(engine.snapshot().sleep).toBe("off");
    world.pass(FADE_MS);
    expect(engine.snapshot().state).toBe("playing");
  });

  it("ends the ambience at a press while that goes on alone", async () => {
    const { engine, audio } = await playing();
    engine.setSleep(10);
    audio.finish();
    engine.pause();
    expect(engine.snapshot()).toMatchObject({ wanted: false, ambience: "off" });
  });
});

describe("the speed", () => {
  it("keeps the pitch, over sources too, and is the lock screen's", async () => {
    const { engine, audio } = await playing();
    engine.setRate(1.2);
    expect(audio).toMatchObject({ playbackRate: 1.2, preservesPitch: true });
    engine.load(recording("m2"));
    expect(audio.src).toBe("/m2");
    expect(engine.snapshot().rate).toBe(1.2);
  });

  it("leaves place, length and ambience as they are", async () => {
    const { engine, audio, world } = await playing();
    audio.currentTime = 60;
    engine.setRate(0.8);
    expect(engine.position()).toBe(60_000);
    expect(engine.snapshot().durationMs).toBe(30 * MINUTES);
    expect(world.context.sources).toHaveLength(1);
    expect(world.context.sources[0]?.stopsAt).toBeNull();
  });
});
