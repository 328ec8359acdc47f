import { expect, test } from "vitest";
import { MAX_TITLE, titleFault, titleWords } from "./title-rules";

test("a title is missing where it has nothing but space", () => {
  expect(titleFault(" \t\n")).toBe("TITLE_REQUIRED");
  expect(titleFault(" rain ")).toBe("");
});

test("its length is counted as people count, and without the space around it", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(titleFault(` ${family.repeat(MAX_TITLE)} `)).toBe("");
  expect(titleFault(family.repeat(MAX_TITLE + 1))).toBe("TITLE_TOO_LONG");
  expect(titleFault("é".normalize("NFD").repeat(MAX_TITLE))).toBe("");
});

test("marks that nobody sees have no place in it, and letters of every script have", () => {
  for (const mark of ["\u0000", "\u001b", "\u202e", "\u2066", "\u0085"])
    expect(titleFault(`rain${mark}fall`)).toBe("TITLE_INVALID");
  for (const title of ["Дождь", "雨の日", "مطر", "Zoë’s 2nd rain – again?"])
    expect(titleFault(title)).toBe("");
});

test("each of the server's reasons about a title has its sentence, and no other has", () => {
  for (const title of ["", "a".repeat(MAX_TITLE + 1), "\u202e"])
    expect(titleWords(titleFault(title))).not.toBe("");
  expect(titleWords("TITLE_TOO_LONG")).toContain(String(MAX_TITLE));
  expect(titleWords("INSUFFICIENT_CREDITS")).toBe("");
});
