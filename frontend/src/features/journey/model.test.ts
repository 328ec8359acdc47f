import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MeditationSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { timeLeft } from "@/lib/countdown";
import { leftWords, madeOn, minutes, cardState, soundOf } from "./model";

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
      [Stage.WRITING, Stage.READY, Stage.FAILED, Stage.CANCELLED, Stage.REFUNDED, Stage.DELETED].map(
        cardState,
      ),
    ).toEqual(["making", "ready", "failed", "cancelled", "refunded", "deleted"]);
  });

  it("says how long it can be brought back, in its two largest units", () => {
    const [second, hour] = [1000, 3_600_000];
    const left = (ms: number) => leftWords(timeLeft(ms, 0));
    expect(left(1_209_600 * second)).toEqual(["14 days", "0 hours left"]);
    expect(left(25 * hour)).toEqual(["1 day", "1 hour left"]);
    expect(left(24 * hour - second)).toEqual(["23 hours", "59 minutes left"]);
    expect(left(2530 * second)).toEqual(["42:10", "minutes left"]);
    expect(left(61 * second)).toEqual(["1:01", "minutes left"]);
    expect(left(2 * second)).toEqual(["2", "seconds left"]);
    expect(left(second)).toEqual(["1", "second left"]);
  });
});
