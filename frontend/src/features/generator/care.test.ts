import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { care, COUNTRIES, countryOf, OTHER } from "@/copy/care";
import { careCountry, needsCare, spokenAt } from "./care-model";

const helplines = [...Object.values(COUNTRIES), countryOf(OTHER)].flatMap((country) => country.lines);

describe("helplines", () => {
  test("are links that a telephone or a browser opens", () => {
    for (const { href, action } of helplines.flatMap((line) => line.ways)) {
      expect(href).toMatch(/^(tel:\d{3,}|sms:\d{3,}(\?body=[A-Z]+)?|https:\/\/[a-z.]+)$/);
      expect(action).not.toBe("");
    }
  });

  test("of the United Kingdom are Samaritans, Shout and 999", () => {
    const { emergency, lines } = countryOf("GB");
    expect(emergency).toBe("999");
    expect(lines.flatMap((line) => line.ways.map((way) => way.href))).toEqual(
      expect.arrayContaining(["tel:116123", "sms:85258?body=SHOUT"]),
    );
  });

  test.each([...Object.keys(COUNTRIES), OTHER])(
    "of %s keep the promise for whom somebody has hurt",
    (code) => {
      expect(countryOf(code).lines.map((line) => line.about)).toContainEqual(
        expect.stringMatching(/someone hurts/),
      );
    },
  );

  test("of a country that is not known name Samaritans beside those of everywhere", () => {
    expect(countryOf(OTHER).lines.flatMap((line) => line.ways.map((way) => way.href))).toEqual([
      "https://findahelpline.com",
      "tel:116123",
    ]);
  });

  test.each([
    ["IE", "tel:116123"],
    ["US", "tel:988"],
    ["CA", "tel:988"],
    ["AU", "tel:131114"],
    ["NZ", "tel:1737"],
    ["FR", "https://findahelpline.com"],
  ])("of %s begin with %s", (code, href) => {
    expect(countryOf(code).lines[0]?.ways[0]?.href).toBe(href);
  });
});

describe("careCountry", () => {
  test.each<[string, readonly string[], string]>([
    ["Europe/London", ["en-US"], "GB"],
    ["Europe/Dublin", ["en-GB"], "IE"],
    ["Australia/Perth", ["en-US"], "AU"],
    ["Pacific/Auckland", ["mi"], "NZ"],
    ["America/Toronto", ["fr-CA", "en"], "CA"],
    ["UTC", ["en-GB", "en-US"], "GB"],
    ["UTC", ["en", "en-IE"], "IE"],
    ["America/New_York", ["en-US"], "US"],
    ["", ["mi-Latn-NZ"], "NZ"],
    ["Europe/Berlin", ["de-DE", "en-GB"], OTHER],
    ["UTC", ["en"], "GB"],
    ["UTC", ["not a language!"], "GB"],
    ["UTC", [], "GB"],
  ])("in %s with %j is %s", (timeZone, languages, country) => {
    expect(careCountry(timeZone, languages)).toBe(country);
  });
});

test("the app's own words of the grounding are those that are spoken", async () => {
  const spoken = new URL("../../../../services/generation/internal/shared/grounding.txt", import.meta.url);
  const lines = (await readFile(spoken, "utf8")).split("\n").map((line) => line.trim());
  expect(care.grounding.words).toEqual(lines.filter((line) => line && !/^(#|\d+$)/.test(line)));
});

test("only the server's reason asks for care", () => {
  expect(needsCare({ reason: "TITLE_NEEDS_CARE" })).toBe(true);
  expect(needsCare({ reason: "TITLE_PROFANE" })).toBe(false);
  expect(needsCare(null)).toBe(false);
});

test("the line being spoken is the last that has begun", () => {
  const lines = [{ startMs: 70n }, { startMs: 2000n }, { startMs: 9000n }];
  expect([0, 70, 5000, 60_000].map((ms) => spokenAt(lines, ms))).toEqual([-1, 0, 1, 2]);
});
