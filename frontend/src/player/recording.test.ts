import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MeditationSchema, SegmentSchema, Stage } from "@/gen/serein/web/v1/generator_pb";
import { currentLine, loopOf, quietRings, quietText, recordingOf, scriptOf } from "./recording";

const segments = [0, 1].map((index) =>
  create(SegmentSchema, {
    index,
    startMs: BigInt(index * 10_000),
    durationMs: 10_000n,
    silenceMs: 4_000n,
    audioUrl: `/s/${index}`,
    lines: [
      { text: `first of ${index}`, startMs: BigInt(index * 10_000), endMs: BigInt(index * 10_000 + 2_500) },
      {
        text: `second of ${index}`,
        startMs: BigInt(index * 10_000 + 3_000),
        endMs: BigInt(index * 10_000 + 6_000),
      },
    ],
  }),
);
const meditation = (stage: Stage, more: { passagesTotal?: number; audioUrl?: string } = {}) =>
  create(MeditationSchema, { id: "m1", title: "T", stage, expectedMs: 60_000n, ...more });

describe("a recording", () => {
  it("is open while passages may still come", () => {
    expect(recordingOf(meditation(Stage.NARRATING, { passagesTotal: 5 }), segments)).toMatchObject({
      complete: false,
      durationMs: 60_000,
      url: undefined,
    });
    expect(recordingOf(meditation(Stage.FINISHING, { passagesTotal: 5 }), segments).complete).toBe(false);
  });

  it("is complete once all passages are there or the work has ended", () => {
    expect(recordingOf(meditation(Stage.FINISHING, { passagesTotal: 2 }), segments).complete).toBe(true);
    expect(recordingOf(meditation(Stage.CANCELLED), segments).complete).toBe(true);
    expect(recordingOf(meditation(Stage.READY, { audioUrl: "/a" }), segments)).toMatchObject({
      complete: true,
      url: "/a",
    });
  });

  it("without a track has no loop", () => {
    expect(loopOf(undefined)).toBeNull();
  });
});

describe("the transcript", () => {
  const script = scriptOf(segments);

  it("holds the lines and the silences in the order they are heard", () => {
    expect(script.map((i) => (i.kind === "line" ? i.text : i.startMs))).toEqual([
      "first of 0",
      "second of 0",
      6_000,
      "first of 1",
      "second of 1",
      16_000,
    ]);
  });

  it("knows the line being spoken, and keeps it through the silence after it", () => {
    expect(currentLine(script, 500)).toBe(0);
    expect(currentLine(script, 9_000)).toBe(1);
    expect(currentLine(script, 10_000)).toBe(3);
    expect(currentLine([], 0)).toBe(-1);
  });

  it("names a silence in words and draws it as small rings", () => {
    expect(quietText(6_100)).toBe("Six seconds of quiet");
    expect(quietText(1_000)).toBe("One second of quiet");
    expect(quietText(15_000)).toBe("15 seconds of quiet");
    expect([1_500, 4_000, 6_000, 20_000].map(quietRings)).toEqual([1, 2, 3, 3]);
  });
});
