import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropLeftBehind } from "@/data/left-behind";
import { createSession } from "@/lib/session";
import { member } from "@/testing/member";
import { Choices, followChoices } from "./choices";
import { PlayerEngine } from "./engine/engine";
import { FakeWorld } from "./engine/testing/fakes";
import type { Loop } from "./engine/types";

const kept = new Map<string, string>();
const area = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
};

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("window", { localStorage: area, sessionStorage: area });
  vi.stubGlobal("sessionStorage", {});
});
afterEach(() => vi.unstubAllGlobals());

const DAY_MS = 24 * 3_600_000;
const rain: Loop = { id: "rain", url: "/rain", startMs: 0, lengthMs: 1000 };

/** A page of `uid`, undefined for a visitor. */
function page(uid: string | undefined) {
  const session = createSession();
  const become = (next: string | undefined) =>
    session.set({ ...session.get(), member: next === undefined ? null : member({ uid: next }) });
  become(uid);
  const engine = new PlayerEngine(new FakeWorld().ports());
  const choices = new Choices(() => session.get().member?.uid);
  followChoices(session, engine, choices);
  const sound = () => {
    const { voiceVolume: voice, ambienceVolume: ambience, rate } = engine.snapshot();
    return { voice, ambience, rate };
  };
  return { engine, choices, sound, become };
}

const FIRST = { voice: 0.8, ambience: 0.45, rate: 1 };

it("both volumes and the speed are there at the next visit, for the same member alone", () => {
  const before = page("amara");
  expect(before.sound()).toEqual(FIRST);
  before.engine.setVolumes({ voice: 0.6 });
  before.engine.setVolumes({ ambience: 0.1 });
  before.engine.setRate(1.2);
  expect(page("amara").sound()).toEqual({ voice: 0.6, ambience: 0.1, rate: 1.2 });
  expect(page("bo").sound()).toEqual(FIRST);
  before.become("bo");
  expect(before.sound()).toEqual(FIRST);
});

it("the sound beneath is remembered for its recording, and so is its absence", () => {
  const { choices } = page("amara");
  choices.keepLoop("article/kind", rain);
  choices.keepLoop("m1", null);
  expect(page("amara").choices.loopOf("article/kind")).toEqual(rain);
  expect(page("amara").choices.loopOf("m1")).toBeNull();
  expect(page("amara").choices.loopOf("m2")).toBeUndefined();
});

it("a choice is kept however old it is, and after a month its address is to be read again", () => {
  vi.useFakeTimers();
  const { choices } = page("amara");
  choices.keepLoop("m1", rain);
  vi.advanceTimersByTime(29 * DAY_MS);
  expect(choices.isOld("m1")).toBe(false);
  vi.advanceTimersByTime(365 * DAY_MS);
  expect(choices.loopOf("m1")).toEqual(rain);
  expect(choices.isOld("m1")).toBe(true);
  choices.keepLoop("m1", rain);
  expect(choices.isOld("m1")).toBe(false);
  vi.useRealTimers();
});

it("the oldest choices go, so that the list stays short", () => {
  const { choices } = page("amara");
  for (let n = 0; n < 70; n++) choices.keepLoop(`m${n}`, rain);
  expect(choices.loopOf("m9")).toBeUndefined();
  expect(choices.loopOf("m10")).toEqual(rain);
  expect(choices.read().loops).toHaveLength(60);
});

it("signing out leaves nothing on the device, and of a visitor nothing is kept", () => {
  const { engine, become } = page("amara");
  engine.setRate(1.1);
  dropLeftBehind();
  become(undefined);
  engine.setRate(0.9);
  expect([...kept.keys()]).toEqual([]);
});

it("what somebody's hand has left there is not believed", () => {
  kept.set("serein-sound", '{"owner":"amara","voice":7,"ambience":"loud","rate":40,"loops":{}}');
  expect(page("amara").sound()).toEqual(FIRST);
  kept.set("serein-sound", "{");
  expect(page("amara").sound()).toEqual(FIRST);
});
