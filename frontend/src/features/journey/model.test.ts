import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MeditationSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { madeOn, minutes, plateState, soundOf } from "./model";

describe("a plate", () => {
  const now = new Date(2026, 10, 21, 9).getTime();
  const on = (...date: [number, number, number, number?]) => madeOn(new Date(...date).getTime(), now);

  it("says the day as people do", () => {
    expect(on(2026, 10, 21, 1)).toBe("Today");
    expect(on(2026, 10, 20, 23)).toBe("Yesterday");
    expect(on(2026, 10, 17)).toBe("Tuesday");
    expect(on(2026, 10, 12)).toBe("12 November");
    expect(on(2025, 10, 12)).toBe("12 November 2025");
  });

  it("says its length, sound and state", () => {
    expect(minutes(372_000)).toBe("6 min");
    expect(minutes(5_000)).toBe("1 min");
    expect(soundOf(create(MeditationSchema, { immersive: true, track: { name: "Rain" } }))).toBe(
      "Immersive, Rain",
    );
    expect(soundOf(create(MeditationSchema, { immersive: true }))).toBe("Immersive");
    expect(soundOf(create(MeditationSchema, {}))).toBe("Voice only");
    expect(
      [Stage.WRITING, Stage.READY, Stage.FAILED, Stage.CANCELLED, Stage.REFUNDED].map(plateState),
    ).toEqual(["making", "ready", "failed", "cancelled", "refunded"]);
  });
});
