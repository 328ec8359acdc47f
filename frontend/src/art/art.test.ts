import { describe, expect, test } from "vitest";
import { art, categoryOf } from "./art";
import { hero } from "./hero";
import { CATEGORIES } from "./inks";
import type { Theme } from "./inks";
import { stage } from "./stage";

const THEMES: Theme[] = ["light", "dark"];
const card = { w: 400, h: 500 };

describe("art", () => {
  test("the same options draw the same picture, another seed another one", () => {
    for (const category of CATEGORIES) {
      const o = { category, seed: "after the long meeting", theme: "light" as Theme, ...card };
      expect(art(o)).toBe(art(o));
      expect(art(o)).not.toBe(art({ ...o, seed: "exam week" }));
      expect(art(o)).not.toBe(art({ ...o, theme: "dark" }));
    }
  });

  test("a 4:5 picture stays under 6.1 KB in every category, theme and seed", () => {
    let largest = 0;
    for (const category of CATEGORIES)
      for (const theme of THEMES)
        for (let seed = 0; seed < 200; seed++)
          largest = Math.max(largest, art({ category, seed, theme, ...card }).length);
    expect(largest).toBeLessThan(6.1 * 1024);
  });

  test("no picture carries inline styles, scripts, missing numbers or a gradient that is not there", () => {
    const pictures = CATEGORIES.flatMap((category) =>
      THEMES.flatMap((theme) => [1, 2, 3].map((seed) => art({ category, seed, theme, ...card }))),
    );
    pictures.push(...THEMES.map((theme) => hero({ seed: 21, w: 1600, h: 620, theme })));
    pictures.push(stage({ seed: 3, w: 1440, h: 700, x: 0.4 }));
    for (const svg of pictures) {
      expect(svg).not.toMatch(/style|<script|NaN|undefined|Infinity/);
      const ids = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]));
      const used = [...svg.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g)].map((m) => m[1] ?? m[2]);
      for (const id of used) expect(ids).toContain(id);
    }
  });

  test("two copies of a picture with different ids share no element ids", () => {
    const o = { category: "Better Sleep" as const, seed: 3, theme: "light" as Theme, ...card };
    expect(art({ ...o, id: "one" })).toContain('id="one0"');
    expect(art({ ...o, id: "two" })).not.toContain('id="one0"');
  });

  test("an unknown category is drawn as dunes", () => {
    expect(categoryOf("Accounting")).toBe("Uncategorized");
    expect(categoryOf("Better Sleep")).toBe("Better Sleep");
  });
});
