import { expect, test } from "vitest";
import { integrityOf, shellFiles, versionOf } from "./worker-rules.mjs";

const manifest = {
  "index.html": {
    file: "assets/entry.js",
    isEntry: true,
    css: ["assets/entry.css"],
    imports: ["_parts"],
    dynamicImports: [
      "src/routes/kept.tsx",
      "src/routes/home.tsx",
      "src/app/TopUp.tsx",
      "src/app/Notices.tsx",
    ],
  },
  _parts: { file: "assets/parts.js" },
  "src/routes/kept.tsx": { file: "assets/kept.js", imports: ["_player"], css: ["assets/kept.css"] },
  "src/routes/not-found.tsx": { file: "assets/lost.js" },
  _player: { file: "assets/player.js", dynamicImports: ["src/player/more/Sheet.tsx"] },
  "src/player/more/Sheet.tsx": { file: "assets/sheet.js" },
  "src/routes/home.tsx": { file: "assets/home.js" },
  "src/app/TopUp.tsx": { file: "assets/top-up.js" },
  "src/app/Notices.tsx": { file: "assets/notices.js" },
  "font.woff2": { file: "assets/font.woff2" },
};

test("the shell has what the page of what is kept needs, however late, and no other page", () => {
  expect(shellFiles(manifest)).toEqual(
    [
      "entry.css",
      "entry.js",
      "font.woff2",
      "kept.css",
      "kept.js",
      "lost.js",
      "notices.js",
      "parts.js",
      "player.js",
      "sheet.js",
    ].map((file) => `assets/${file}`),
  );
});

test("a build without that page is refused", () => {
  const { "src/routes/kept.tsx": _, ...without } = manifest;
  expect(() => shellFiles({ ...without, "index.html": { file: "a.js", isEntry: true } })).toThrow(
    "src/routes/kept.tsx",
  );
  expect(() => shellFiles({})).toThrow("no entry");
});

test("a file is named by the hash that browsers check, and a list by its files", () => {
  expect(integrityOf("")).toBe("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  const file = { url: "/a.js", integrity: "sha256-1" };
  expect(versionOf([file])).toBe(versionOf([{ ...file }]));
  expect(versionOf([file])).not.toBe(versionOf([{ ...file, integrity: "sha256-2" }]));
});
