import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const features = join(import.meta.dirname, "../features");

/** Where an import leads, relative to src/features; imports of packages and of other layers lead out of it. */
function target(file: string, name: string): string {
  if (name.startsWith("@/features/")) return name.slice("@/features/".length);
  return name.startsWith(".") ? relative(features, join(features, dirname(file), name)) : "..";
}

test("features do not import each other, neither by alias nor by path", () => {
  const crossings: string[] = [];
  for (const file of readdirSync(features, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const own = file.split("/")[0] ?? "";
    const source = readFileSync(join(features, file), "utf8");
    for (const [, name = ""] of source.matchAll(/(?:from|import\(?)\s*"([^"]+)"/g)) {
      const to = target(file, name).split("/")[0] ?? "";
      if (to !== ".." && to !== own) crossings.push(`${file} imports ${name}`);
    }
  }
  expect(crossings).toEqual([]);
});
