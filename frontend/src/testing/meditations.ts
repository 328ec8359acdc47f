import { create } from "@bufbuild/protobuf";
import type { Meditation, Segment } from "@/gen/serein/web/v1/generator_pb";
import {
  GetGeneratorResponseSchema,
  GetSampleResponseSchema,
  ListNarratorsResponseSchema,
  MeditationSchema,
  SegmentSchema,
  Stage,
} from "@/gen/serein/web/v1/generator_pb";

/** The generator's page as tests see it. */
export const generatorPage = () =>
  create(GetGeneratorResponseSchema, {
    sizes: [
      { id: "minimed", name: "MiniMed", expectedSeconds: 226 },
      { id: "reset", name: "Reset", expectedSeconds: 366 },
      { id: "timeout", name: "Timeout", expectedSeconds: 560 },
    ],
    types: [
      {
        id: "stress-relief",
        name: "Stress Relief",
        description: "For a body.",
        narratorName: "Maren",
        narratorId: "maren",
      },
      { id: "anger", name: "Anger", description: "For heat.", narratorName: "Callum", narratorId: "callum" },
    ],
    practices: [
      { id: "secular-mindfulness", name: "Secular Mindfulness", description: "Plain attention." },
      { id: "zen", name: "Zen (Zazen)", description: "Just sitting." },
    ],
    tracks: [
      { id: "warm", name: "Warm", url: "/media/ambience/warm.mp3", loopLengthMs: 3000 },
      { id: "rain", name: "Rain", url: "/media/ambience/rain.mp3", loopLengthMs: 3000 },
    ],
    costVoiceOnly: 1,
    costImmersive: 2,
    immersiveNarratorId: "isla",
    immersiveNarratorName: "Isla",
  });

/** The minute that everybody may hear. */
export const sample = () =>
  create(GetSampleResponseSchema, {
    audioUrl: "/media/sample/lake.mp3",
    durationMs: 60_000n,
    lines: [
      { text: "The rain has just stopped.", startMs: 0n, endMs: 2000n },
      { text: "Hear one of them land.", startMs: 6000n, endMs: 9000n },
    ],
  });

/** Narrators to choose; the sentence of the last is not recorded yet. */
export const narrators = () =>
  create(ListNarratorsResponseSchema, {
    narrators: [
      {
        id: "maren",
        name: "Maren",
        description: "Even.",
        sampleUrl: "/media/sample/maren.mp3",
        sampleDurationMs: 6_000n,
      },
      {
        id: "callum",
        name: "Callum",
        description: "Steady.",
        sampleUrl: "/media/sample/callum.mp3",
        sampleDurationMs: 6_000n,
      },
      { id: "wren", name: "Wren", description: "Light." },
    ],
  });

/** Length of one passage, in milliseconds. */
const PASSAGE_MS = 10_000;

/** A finished meditation of one minute. */
export const meditation = (more: Partial<Omit<Meditation, "$typeName" | "$unknown">> = {}): Meditation =>
  create(MeditationSchema, {
    id: "m1",
    title: "After the long meeting",
    typeId: "stress-relief",
    typeName: "Stress Relief",
    practiceName: "Zen (Zazen)",
    sizeName: "Reset",
    immersive: true,
    track: { id: "rain", name: "Rain", url: "/media/ambience/rain.mp3", loopLengthMs: 3000 },
    narratorName: "Maren",
    stage: Stage.READY,
    passagesDone: 6,
    passagesTotal: 6,
    readyMs: 60_000n,
    expectedMs: 60_000n,
    cost: 2,
    audioUrl: "/media/meditations/m1/audio.mp3",
    ...more,
  });

/** The first `n` passages of it, each with one line and two seconds of silence. */
export const segments = (n: number): Segment[] =>
  Array.from({ length: n }, (_, index) => {
    const startMs = BigInt(index * PASSAGE_MS);
    return create(SegmentSchema, {
      index,
      startMs,
      durationMs: BigInt(PASSAGE_MS),
      silenceMs: 2000n,
      audioUrl: `/media/meditations/m1/segments/${index}.mp3`,
      lines: [{ text: `This is line ${index + 1}.`, startMs, endMs: startMs + 6000n }],
    });
  });
