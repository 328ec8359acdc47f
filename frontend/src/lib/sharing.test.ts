import { expect, test } from "vitest";
import { dialogsOf } from "./sharing";

const WHAT = {
  title: "Rest & more",
  text: "“Rest & more” at Serein",
  url: "https://serein.example/articles/rest?a=1&b=2",
};

test("each site gets the address whole, whatever stands in title and address", () => {
  const dialogs = dialogsOf(WHAT);
  const at = (site: keyof typeof dialogs, field: string) => new URL(dialogs[site]).searchParams.get(field);
  expect(at("x", "url")).toBe(WHAT.url);
  expect(at("x", "text")).toBe(WHAT.text);
  expect(at("facebook", "u")).toBe(WHAT.url);
  expect(at("whatsApp", "text")).toBe(`${WHAT.text} ${WHAT.url}`);
  expect(at("linkedIn", "url")).toBe(WHAT.url);
  expect(at("email", "subject")).toBe(WHAT.title);
  expect(at("email", "body")).toBe(`${WHAT.text}\n\n${WHAT.url}`);
});

test("a mail program would show a plus as a plus, so a space is written as %20", () => {
  expect(dialogsOf(WHAT).email).toContain("subject=Rest%20%26%20more");
});
