import { describe, expect, test } from "vitest";
import { circles, closure, weigh } from "./budget-rules.mjs";

const manifest = {
  "index.html": {
    file: "e.js",
    isEntry: true,
    imports: ["_r.js"],
    css: ["e.css"],
    dynamicImports: ["src/routes/a.tsx"],
  },
  "_r.js": { file: "r.js", imports: [] },
  "_data.js": { file: "d.js", name: "data", imports: ["_r.js"] },
  "_prints.js": { file: "i.js", name: "prints", imports: [] },
  "_ui.js": { file: "u.js", imports: ["_r.js"] },
  "src/routes/a.tsx": {
    file: "a.js",
    isDynamicEntry: true,
    imports: ["index.html", "_ui.js", "_data.js", "_prints.js"],
  },
  "_forms.js": { file: "f.js", name: "forms", imports: ["_r.js"] },
  "_player.js": { file: "p.js", name: "player", imports: ["_r.js"] },
  "src/features/account/Panel.tsx": {
    file: "b.js",
    isDynamicEntry: true,
    imports: ["_ui.js", "_forms.js", "_player.js"],
  },
  "src/styles/fonts/x.woff2": { file: "x.woff2" },
};
const KB = 1024;
const sizes = {
  "e.js": 10 * KB,
  "r.js": 20 * KB,
  "d.js": 40 * KB,
  "i.js": 11 * KB,
  "u.js": 5 * KB,
  "a.js": 4 * KB,
  "b.js": 22 * KB,
  "f.js": 12 * KB,
  "p.js": 13 * KB,
  "e.css": 7 * KB,
  "x.woff2": 30 * KB,
};
const of = (name, rows) => rows.find((row) => row.name === name);

describe("budget", () => {
  test("the entry counts with everything it imports", () => {
    expect(closure(manifest, "index.html")).toEqual(new Set(["index.html", "_r.js"]));
    expect(
      of(
        "entry",
        weigh(manifest, (f) => sizes[f]),
      ).kb,
    ).toBe(30);
  });

  test("a page counts its own code, not what the entry and the shared chunks carry", () => {
    expect(
      of(
        "src/routes/a.tsx",
        weigh(manifest, (f) => sizes[f]),
      ).kb,
    ).toBe(9);
  });

  test("a part that a page asks for later counts what it adds to every page that does, and no more", () => {
    const later = "src/features/later/Later.tsx";
    const asking = { isDynamicEntry: true, imports: ["index.html"], dynamicImports: [later] };
    const more = {
      ...manifest,
      "src/routes/a.tsx": { ...manifest["src/routes/a.tsx"], dynamicImports: [later] },
      [later]: { file: "b.js", isDynamicEntry: true, imports: ["_ui.js", "src/routes/a.tsx"] },
    };
    const kb = (made) =>
      of(
        later,
        weigh(made, (f) => sizes[f]),
      ).kb;
    expect(kb(more)).toBe(22);
    expect(kb({ ...more, "src/routes/c.tsx": { file: "e.js", ...asking } })).toBe(31);
  });

  test("past a limit is not ok", () => {
    const rows = weigh(manifest, (f) => sizes[f]);
    expect(of("src/features/account/Panel.tsx", rows)).toMatchObject({ kb: 27, limit: 26, ok: false });
    expect(of("forms", rows)).toMatchObject({ kb: 12, ok: true });
    expect(of("player", rows)).toMatchObject({ kb: 13, ok: true });
    expect(of("data", rows)).toMatchObject({ kb: 40, ok: true });
    expect(of("prints", rows)).toMatchObject({ kb: 11, ok: true });
    expect(of("css of the first load", rows)).toMatchObject({ kb: 7, ok: true });
    expect(of("fonts", rows)).toMatchObject({ kb: 30, ok: true });
  });

  test("a build without an entry is an error, not a pass", () => {
    expect(() => weigh({}, () => 0)).toThrow("no entry");
  });
});

test("a chunk that the data chunk imports and that imports it is named", () => {
  expect(circles(manifest)).toEqual([]);
  const errors = { file: "x.js", imports: ["_r.js", "_data.js"] };
  const data = { ...manifest["_data.js"], imports: ["_r.js", "_errors.js"] };
  expect(circles({ ...manifest, "_data.js": data, "_errors.js": errors })).toEqual(["_errors.js"]);
});
