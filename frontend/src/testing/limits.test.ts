import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What makes a test depend on how fast a machine is. */
const FORBIDDEN = {
  "a limit of its own": /\btimeout: \d|^\}, [\d_]+\);/m,
  "a sleep": /\bset(?:Timeout|Interval)\(/,
  "fake timers that real time moves": /\bshould(?:AdvanceTime)\b/,
  "the machine's clock": /\bperformance\.now\(/,
};

test("no test has a limit of its own or sleeps: limits stand in vitest.config.ts, and what is waited for is asked for", () => {
  const faults: string[] = [];
  for (const folder of ["src", "scripts"])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.test\.(?:tsx?|mjs)$/.test(file)) continue;
      const source = readFileSync(join(root, folder, file), "utf8");
      for (const [what, pattern] of Object.entries(FORBIDDEN))
        if (pattern.test(source)) faults.push(`${folder}/${file} has ${what}`);
    }
  expect(faults).toEqual([]);
});
