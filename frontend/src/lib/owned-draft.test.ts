import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownedDraft } from "./owned-draft";

const AMARA = "0193f2c0-0000-7000-8000-000000000001";
const draft = ownedDraft<{ text: string }>("draft", ({ text }) => typeof text === "string");
let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal("window", { sessionStorage });
});
afterEach(() => vi.unstubAllGlobals());

test("a draft is found again by the one who wrote it, and by nobody else", () => {
  draft.keep({ text: "half a thought" }, AMARA);
  expect(draft.read(AMARA)).toEqual({ text: "half a thought" });
  expect(draft.read("0193f2c0-0000-7000-8000-000000000002")).toBeNull();
  expect(draft.read(undefined)).toBeNull();
});

test("nothing is kept for a visitor", () => {
  draft.keep({ text: "half a thought" }, undefined);
  expect(kept.size).toBe(0);
});

test("what is no draft of this release is not one", () => {
  for (const left of [
    "",
    "{",
    "null",
    "7",
    `{"owner":"${AMARA}"}`,
    `{"owner":"${AMARA}","value":{"text":7}}`,
  ]) {
    kept.set("draft", left);
    expect(draft.read(AMARA)).toBeNull();
  }
});

test("a dropped draft is gone", () => {
  draft.keep({ text: "half a thought" }, AMARA);
  draft.drop();
  expect(draft.read(AMARA)).toBeNull();
  expect(kept.size).toBe(0);
});

test("a browser that refuses its storage loses the draft and nothing else", () => {
  vi.stubGlobal("window", {
    get sessionStorage(): Storage {
      throw new Error("denied");
    },
  });
  draft.keep({ text: "half a thought" }, AMARA);
  expect(draft.read(AMARA)).toBeNull();
});
