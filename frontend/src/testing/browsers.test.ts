import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import config from "../../vite.config.ts";

const root = join(import.meta.dirname, "../..");

/**
 * What no Safari has, or none of the oldest that the build is for, with the files that have another way there. What the
 * language has since is out of reach already: `lib` of tsconfig.json is older than the oldest browser.
 */
const LACKING: Record<string, { pattern: RegExp; but?: readonly string[] }> = {
  "MediaSource, which takes no MP3 there": { pattern: /\bMediaSource\b|\bSourceBuffer\b/ },
  requestIdleCallback: { pattern: /\brequestIdleCallback\b/, but: ["src/lib/idle.ts"] },
  "the end of a scroll": {
    pattern: /["'](?:on)?scroll(?:end|snapchanged?)["']|\bonScrollEnd=/,
    but: ["src/features/journey/Tabs.tsx"],
  },
  "entries of what was painted or pressed": {
    pattern:
      /["'](?:paint|first-contentful-paint|largest-contentful-paint|first-input|layout-shift|longtask)["']/,
  },
  "the scheduler": { pattern: /\bscheduler\.(?:postTask|yield)\b/ },
  // An iPhone has it set by its buttons alone: the player looks whether it can be set, and offers it where it can.
  "a volume that is set on an audio element": {
    pattern: /\b(?:audio|probe)\.volume\s*=[^=]/,
    but: ["src/player/engine/browser.ts", "src/player/engine/voice.ts"],
  },
  "a choice of the device that plays": { pattern: /\bsetSinkId\b/ },
  "the element's sound as a stream": { pattern: /\bcaptureStream\b/ },
  "sound that is no MP3": { pattern: /\.(?:ogg|oga|opus|webm)\b|audio\/(?:ogg|webm|opus)/ },
  "what only Chromium knows of device and network": {
    pattern: /\bnavigator\.(?:connection|userAgentData|vibrate|getBattery|deviceMemory|keyboard)\b/,
  },
  "the navigation API": { pattern: /\bwindow\.navigation\b|\bnavigation\.addEventListener\b/ },
  "a change of page as a transition": { pattern: /\bstartViewTransition\b/ },
};

test("nothing is used that Safari lacks, but where there is another way", () => {
  const faults = sources().flatMap(({ path, text }) =>
    Object.entries(LACKING).flatMap(([what, { pattern, but }]) =>
      pattern.test(text) && !but?.includes(path) ? [`${path} uses ${what}`] : [],
    ),
  );
  expect(faults).toEqual([]);
});

test("a file with another way still has what it was let off for", () => {
  const texts = new Map(sources().map(({ path, text }) => [path, text]));
  const idle = Object.values(LACKING).flatMap(({ pattern, but = [] }) =>
    but.filter((path) => !pattern.test(texts.get(path) ?? "")),
  );
  expect(idle).toEqual([]);
});

test("the README names the browsers that the build is for", () => {
  const { build } = config({ mode: "production", command: "build" });
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const named = (readme.match(/(?:Chrome|Edge|Firefox|Safari) [\d.]+/g) ?? []).map((name) =>
    name.toLowerCase().replace(" ", ""),
  );
  expect(named).toEqual(build?.target);
});

/** What is delivered: no tests, and nothing that is generated. */
function sources() {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^gen\/|(?:^|\/)testing\//.test(file))
    .map((file) => join("src", file))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
