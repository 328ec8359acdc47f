import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What makes a test depend on how fast a machine is. */
const FORBIDDEN = {
  "its own time limit": /\btimeout: \d|^\}, [\d_]+\);/m,
  "a sleep": /\bset(?:Timeout|Interval)\(/,
  "fake timers that real time moves": /\bshould(?:AdvanceTime)\b/,
  "the machine's clock": /\bperformance\.now\(/,
};

/** What is read outside of frontend: app_inputs of deploy/test.sh lists it as well, so that a change of it runs the tests again. */
const OUTSIDE = [
  "../services/generation/internal/shared/",
  "../services/generation/internal/script/testdata/names.json",
];

test("no test sets a time limit or sleeps: vitest.config.ts has the limits, and tests poll for what they wait for", () => {
  const faults = testFiles().flatMap(({ path, source }) =>
    Object.entries(FORBIDDEN).flatMap(([what, pattern]) =>
      pattern.test(source) ? [`${path} has ${what}`] : [],
    ),
  );
  expect(faults).toEqual([]);
});

test("tests read nothing outside of frontend but what deploy/test.sh knows of", () => {
  const faults = testFiles().flatMap(({ path, source }) =>
    (source.match(/(?:\.\.\/)+[\w./-]*/g) ?? [])
      .map((to) => relative(root, join(root, dirname(path), to)))
      .filter((to) => to.startsWith("..") && !OUTSIDE.some((known) => to.startsWith(known)))
      .map((to) => `${path} reads ${to}`),
  );
  expect(faults).toEqual([]);
});

/** All tests of the app, by their paths in frontend. */
function testFiles() {
  return ["src", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.test\.(?:tsx?|mjs)$/.test(file))
      .map((file) => join(folder, file))
      .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") })),
  );
}
