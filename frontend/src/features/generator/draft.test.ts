import { beforeEach, expect, test, vi } from "vitest";
import { draftNeedsCare, dropDraft, keepDraft, markDraft, readDraft } from "./draft";
import type { Answers } from "./model";

const answers: Answers = {
  title: "Before the meeting",
  sizeId: "reset",
  typeId: "anger",
  practiceId: "zen",
  narratorId: "",
  sayName: false,
  immersive: true,
  trackId: "rain",
};

beforeEach(() => {
  const items = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  };
  vi.stubGlobal("window", { sessionStorage });
  return () => vi.unstubAllGlobals();
});

test("a draft outlives the end of its member's session, and what is changed meanwhile", () => {
  keepDraft(answers, "amara");
  expect(readDraft(undefined)).toEqual(answers);
  keepDraft({ ...answers, title: "After it" }, undefined);
  expect(readDraft("amara")?.title).toBe("After it");
});

test("a draft is not shown to another member, nor to the first one afterwards", () => {
  keepDraft(answers, "amara");
  keepDraft({ ...answers, title: "After it" }, undefined);
  expect(readDraft("bo")).toBeNull();
  expect(readDraft("amara")).toBeNull();
});

test("a visitor's draft passes to the member who signs in", () => {
  keepDraft(answers, undefined);
  expect(readDraft("bo")).toEqual(answers);
});

test("what was said of a title stays with it, and with nothing else", () => {
  keepDraft(answers, "amara");
  markDraft("Another title", true);
  expect(draftNeedsCare()).toBe(false);
  markDraft(answers.title, true);
  keepDraft({ ...answers, title: `${answers.title} `, typeId: "resilience" }, undefined);
  expect(draftNeedsCare()).toBe(true);
  markDraft(answers.title, false);
  expect(draftNeedsCare()).toBe(false);
  markDraft(answers.title, true);
  keepDraft({ ...answers, title: "After it" }, "amara");
  keepDraft(answers, "amara");
  expect(draftNeedsCare()).toBe(false);
});

test("a title that needs care is kept by the page and not by the tab", () => {
  keepDraft(answers, "amara");
  markDraft(answers.title, true);
  const inTab = () => window.sessionStorage.getItem("serein-draft") ?? "";
  expect(inTab()).not.toContain(answers.title);
  expect(readDraft("amara")).toEqual(answers);
  keepDraft({ ...answers, typeId: "resilience" }, "amara");
  expect(inTab()).not.toContain(answers.title);
  expect(draftNeedsCare()).toBe(true);
  markDraft(answers.title, false);
  expect(inTab()).toContain(answers.title);
});

test("after a reload the tab knows that care was needed, and not for what", async () => {
  keepDraft(answers, "amara");
  markDraft(answers.title, true);
  vi.resetModules();
  const reloaded = await import("./draft");
  expect(reloaded.readDraft("amara")).toEqual({ ...answers, title: "" });
  expect(reloaded.draftNeedsCare()).toBe(true);
  reloaded.keepDraft({ ...answers, title: "After it" }, "amara");
  expect(reloaded.draftNeedsCare()).toBe(false);
});

test("what is no draft is not read", () => {
  window.sessionStorage.setItem("serein-draft", '{"title":"from an older page"}');
  expect(readDraft(undefined)).toBeNull();
  window.sessionStorage.setItem("serein-draft", "{");
  expect(readDraft(undefined)).toBeNull();
  keepDraft(answers, "amara");
  dropDraft();
  expect(readDraft("amara")).toBeNull();
});
