import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { MadeSchema, NarrationState } from "@/gen/serein/web/v1/studio_pb";
import {
  briefLength,
  counted,
  expectedSeconds,
  faultyPause,
  FRESH,
  isUnderWay,
  missing,
  readMinutes,
  shareOf,
} from "./model";

const SCRIPT = `Let the evening come to you.
[pause 3]
Notice – the weight of your hands. [pause 4] Rest.`;

describe("a script", () => {
  test("has words and seconds of pause, and the pauses are no words", () => {
    expect(counted(SCRIPT)).toEqual({ words: 13, pauseSeconds: 7 });
    expect(counted("")).toEqual({ words: 0, pauseSeconds: 0 });
  });

  test("lasts as long as its words and its quiet, with ten seconds around an immersive one", () => {
    const words = Array.from({ length: 118 }, () => "calm").join(" ");
    expect(expectedSeconds(`${words} [pause 5]`, false)).toBe(65);
    expect(expectedSeconds(`${words} [pause 5]`, true)).toBe(75);
  });

  test("names the line of a pause that no narrator can rest", () => {
    expect(faultyPause(SCRIPT)).toBe(0);
    for (const pause of [
      "[pause]",
      "[pause 0]",
      "[pause 61]",
      "[pause 3.5]",
      "[pause two]",
      "[Pause 8]",
      "[ pause 8 ]",
      "[sigh]",
      "[pause 8",
      "pause 8]",
      "[pause 3 seconds]",
    ])
      expect([pause, faultyPause(`A line.\n${pause}`)]).toEqual([pause, 2]);
    expect(faultyPause("[pause 1] and [pause 60]")).toBe(0);
  });
});

test("Generate waits for title, type, practice and script, whatever else is chosen", () => {
  expect(missing(FRESH)).toEqual(["title", "type", "practice", "script"]);
  const whole = { ...FRESH, title: "A gate", type: "anger", practice: "zen", script: "Rest." };
  expect(missing(whole)).toEqual([]);
  for (const name of ["title", "type", "practice", "script"] as const)
    expect(missing({ ...whole, [name]: "  " })).toEqual([name]);
});

test("lengths are said in one glance", () => {
  expect(briefLength(42)).toBe("42 s");
  expect(briefLength(252)).toBe("4:12");
  expect(readMinutes("word ".repeat(221))).toBe(2);
  expect(readMinutes("")).toBe(0);
});

test("what waits, is narrated or has failed is under way; what is done is not", () => {
  const made = (state: NarrationState) =>
    create(MadeSchema, { narration: { state, passagesDone: 3, passagesTotal: 6 } });
  expect(isUnderWay(made(NarrationState.NARRATING))).toBe(true);
  expect(isUnderWay(made(NarrationState.FAILED))).toBe(true);
  expect(isUnderWay(made(NarrationState.DONE))).toBe(false);
  expect(isUnderWay(create(MadeSchema, {}))).toBe(false);
  expect(shareOf(made(NarrationState.NARRATING))).toBe(0.5);
  expect(shareOf(create(MadeSchema, {}))).toBe(0);
});
