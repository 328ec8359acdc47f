// Fails the build when a first visit weighs more than budget-rules.mjs allows, or a chunk would run before the data chunk that it needs.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { circles, weigh } from "./budget-rules.mjs";

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const size = (file) => {
  const raw = readFileSync(new URL(file, dist));
  return file.endsWith(".woff2") ? raw.length : gzipSync(raw, { level: 9 }).length;
};

const rows = weigh(manifest, size);
for (const { name, kb, limit, ok } of rows)
  console.log(
    `${ok ? "ok  " : "OVER"} ${kb.toFixed(1).padStart(6)} of ${String(limit).padStart(3)} KB  ${name}`,
  );
if (rows.some((row) => !row.ok)) {
  console.error("The build is over its budget.");
  process.exitCode = 1;
}
for (const key of circles(manifest)) {
  console.error(
    `${key} and the data chunk import each other: their modules belong into one group of vite.config.ts.`,
  );
  process.exitCode = 1;
}
