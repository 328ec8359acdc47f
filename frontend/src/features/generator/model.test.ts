import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GetGeneratorResponseSchema, MeditationSchema } from "@/gen/serein/web/v1/generator_pb";
import { titleFault } from "@/lib/title-rules";
import {
  answersOf,
  blockerOf,
  chosenNarrator,
  costOf,
  freshAnswers,
  leftText,
  presetNarrator,
  sayLength,
  usesText,
} from "./model";

const page = create(GetGeneratorResponseSchema, {
  sizes: [
    { id: "minimed", name: "MiniMed" },
    { id: "reset", name: "Reset" },
  ],
  types: [
    { id: "stress-relief", narratorId: "maren", narratorName: "Maren" },
    { id: "anger", name: "Anger", narratorId: "ansel", narratorName: "Ansel" },
  ],
  practices: [
    { id: "zen", name: "Zen (Zazen)" },
    { id: "secular-mindfulness", name: "Secular" },
  ],
  tracks: [{ id: "warm" }, { id: "rain" }],
  costVoiceOnly: 1,
  costImmersive: 2,
});
const some = (plan: number, topUp = 0) => ({ plan, topUp, held: 0 });
const answers = { ...freshAnswers(page), title: "After the long meeting" };

describe("what it costs", () => {
  it("is 1 for the voice and 2 with immersive sound", () => {
    expect([costOf(false, page), costOf(true, page)]).toEqual([1, 2]);
  });

  it("is said from the credits that will really be used", () => {
    expect(usesText(2, some(20))).toBe("Uses 2 of your 20 plan credits.");
    expect(usesText(2, some(1, 3))).toBe("Uses 1 plan credit and 1 top-up credit.");
    expect(usesText(2, some(0, 5))).toBe("Uses 2 of your 5 top-up credits.");
    expect(usesText(2, some(2))).toBe("Uses your last 2 plan credits.");
    expect(usesText(1, some(1))).toBe("Uses your last plan credit.");
    expect(leftText(some(12))).toBe("12 plan credits");
    expect(leftText(some(1, 1))).toBe("1 plan credit and 1 top-up credit");
  });
});

describe("Generate is possible", () => {
  it("for a member with enough credits; a missing title is said at the press", () => {
    expect(blockerOf(answers, page, some(2), false)).toBe("");
    expect(blockerOf({ ...answers, title: "" }, page, some(2), false)).toBe("");
    expect(blockerOf(answers, page, some(1, 1), false)).toBe("");
  });

  it("not for visitors, while generating, or below the cost", () => {
    expect(blockerOf(answers, page, null, false)).toBe("visitor");
    expect(blockerOf(answers, page, some(5), true)).toBe("busy");
    expect(blockerOf(answers, page, some(1), false)).toBe("credits");
    expect(blockerOf({ ...answers, immersive: false }, page, some(1), false)).toBe("");
  });
});

describe("a title", () => {
  it("is judged by the server's reasons", () => {
    expect(titleFault("")).toBe("TITLE_REQUIRED");
    expect(titleFault("x".repeat(81))).toBe("TITLE_TOO_LONG");
    expect(titleFault("😌".repeat(80))).toBe("");
    expect(titleFault("👩‍👩‍👧".repeat(80))).toBe("");
    expect(titleFault("a\u0000b")).toBe("TITLE_INVALID");
    expect(titleFault("a\u202eb")).toBe("TITLE_INVALID");
    expect(titleFault("شكرا <b>مرحبا</b>")).toBe("");
  });
});

it("a failed meditation gives its answers back", () => {
  const m = create(MeditationSchema, {
    title: "T",
    sizeName: "MiniMed",
    typeId: "anger",
    practiceName: "Zen (Zazen)",
    narratorName: "Maren",
    immersive: true,
    track: { id: "rain" },
  });
  expect(answersOf(m, page)).toEqual({
    title: "T",
    sizeId: "minimed",
    typeId: "anger",
    practiceId: "zen",
    narratorId: "maren",
    sayName: false,
    immersive: true,
    trackId: "rain",
  });
  m.narratorName = "Ansel";
  expect(answersOf(m, page).narratorId, "the type's narrator is no choice").toBe("");
});

describe("who speaks where the member chooses nobody", () => {
  const withImmersive = { ...page, immersiveNarratorId: "isla", immersiveNarratorName: "Isla" };
  const anger = { ...answers, typeId: "anger" };

  it("is the type's narrator, and another one for what is immersive", () => {
    const voiceOnly = presetNarrator({ ...anger, immersive: false }, withImmersive);
    expect(voiceOnly).toEqual({ id: "ansel", name: "Ansel", type: "Anger" });
    expect(presetNarrator(anger, withImmersive)).toEqual({ id: "isla", name: "Isla", type: "" });
    expect(presetNarrator(anger, page).id, "an answer that names none").toBe("ansel");
  });

  it("is no choice; another narrator is one", () => {
    expect(chosenNarrator({ ...anger, narratorId: "isla" }, withImmersive)).toBeNull();
    expect(chosenNarrator({ ...anger, narratorId: "ansel" }, withImmersive)).toEqual({
      id: "ansel",
      name: "Ansel",
    });
    const voiceOnly = { ...anger, immersive: false };
    expect(chosenNarrator({ ...voiceOnly, narratorId: "isla" }, withImmersive)?.name).toBe("Isla");
    const m = create(MeditationSchema, { typeId: "anger", narratorName: "Isla", immersive: true });
    expect(answersOf(m, withImmersive).narratorId).toBe("");
    m.narratorName = "Ansel";
    expect(answersOf(m, withImmersive).narratorId).toBe("ansel");
  });
});

it("nobody is charged for immersive sound without a sound", () => {
  const silent = create(MeditationSchema, { title: "T", immersive: true });
  const kept = answersOf(silent, page);
  expect(kept.trackId).toBe("warm");
  expect(costOf(kept.immersive, page)).toBe(page.costImmersive);
});

it("a length is said as people say it", () => {
  expect(sayLength(372_000)).toBe("6 minutes 12");
  expect(sayLength(60_000)).toBe("1 minute");
});
