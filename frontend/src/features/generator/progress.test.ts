import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MeditationSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { sampled, stepsOf, timeLeft, timeLeftText } from "./progress";

const at = (stage: Stage, track = "Rain") =>
  create(MeditationSchema, {
    stage,
    words: 574,
    passagesDone: 7,
    passagesTotal: 19,
    ...(track ? { track: { name: track } } : {}),
  });

describe("the named stages", () => {
  it("show the server's own figures for what is done and under way", () => {
    expect(stepsOf(at(Stage.NARRATING)).map((s) => [s.state, s.text, s.fact])).toEqual([
      ["done", "Listening to your title", ""],
      ["done", "Writing the script", "574 words"],
      ["now", "Narrating", "7 of 19 passages"],
      ["next", "Setting the rain beneath it", ""],
    ]);
  });

  it("promise no figure before its stage", () => {
    expect(stepsOf(at(Stage.LISTENING)).every((s) => s.fact === "")).toBe(true);
  });

  it("name the chosen sound, and no sound if none was chosen", () => {
    const last = (track: string) => stepsOf(at(Stage.FINISHING, track)).at(-1)?.text;
    expect(last("Ocean")).toBe("Setting the ocean beneath it");
    expect(last("Warm")).toBe("Setting the warmth beneath it");
    expect(last("")).toBe("Listening through once more");
  });

  it("are all done when it is ready", () => {
    expect(stepsOf(at(Stage.READY)).every((s) => s.state === "done")).toBe(true);
  });
});

describe("the time left", () => {
  const samples = [
    { at: 0, readyMs: 0 },
    { at: 2_000, readyMs: 40_000 },
    { at: 4_000, readyMs: 80_000 },
  ];

  it("is unknown until something has been narrated", () => {
    expect(timeLeft([], 360_000, 0)).toBeNull();
    expect(timeLeft([{ at: 0, readyMs: 0 }], 360_000, 1_000)).toBeNull();
  });

  it("follows the pace seen so far", () => {
    expect(timeLeft(samples, 360_000, 4_000)).toBe(14_000);
  });

  it("grows while nothing arrives", () => {
    expect(timeLeft(samples, 360_000, 24_000)).toBe(70_000);
  });

  it("is never negative", () => {
    expect(timeLeft(samples, 70_000, 4_000)).toBe(0);
  });

  it("counts only news", () => {
    const one = sampled([], 0, 0);
    expect(sampled(one, 500, 0)).toBe(one);
    expect(sampled(one, 900, 10)).toHaveLength(2);
  });

  it("is said the way a person would", () => {
    const say = (ms: number | null, ready = 1) => timeLeftText(Stage.NARRATING, ms, ready);
    expect(say(null, 0)).toBe("The first words are on their way.");
    expect(say(null)).toBe("The rest is on its way.");
    expect(say(5_000)).toBe("A few seconds left.");
    expect(say(34_000)).toBe("About 40 seconds left.");
    expect(say(130_000)).toBe("About 2 minutes left.");
    expect(timeLeftText(Stage.FINISHING, 0, 1)).toBe("Nearly there.");
  });
});
