import { Stage } from "@/gen/serein/web/v1/generator_pb";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";

/** What is said while a meditation is being made. All of it follows from what the server reports. */

export interface Step {
  text: string;
  /** "574 words", "7 of 19 passages", or "". */
  fact: string;
  state: "done" | "now" | "next";
}

const ORDER = [Stage.LISTENING, Stage.WRITING, Stage.NARRATING, Stage.FINISHING];

/** "Setting the rain beneath it"; without a track there is nothing to set. */
function lastStep(track: string): string {
  return track
    ? `Setting the ${track === "Warm" ? "warmth" : track.toLowerCase()} beneath it`
    : "Listening through once more";
}

export function stepsOf(m: Meditation): Step[] {
  const at = m.stage === Stage.READY ? ORDER.length : ORDER.indexOf(m.stage);
  const passages = m.passagesTotal > 0 ? `${m.passagesDone} of ${m.passagesTotal} passages` : "";
  const texts: [string, string][] = [
    ["Listening to your title", ""],
    ["Writing the script", m.words > 0 ? `${m.words} words` : ""],
    ["Narrating", passages],
    [lastStep(m.track?.name ?? ""), ""],
  ];
  return texts.map(([text, fact], i) => ({
    text,
    fact: i <= at ? fact : "",
    state: i < at ? "done" : i === at ? "now" : "next",
  }));
}

/** How much was ready when: `at` in ms on any steady clock. */
export interface Sample {
  at: number;
  readyMs: number;
}

/** Adds what is ready now, if it is news. */
export function sampled(samples: readonly Sample[], at: number, readyMs: number): readonly Sample[] {
  const last = samples.at(-1);
  return last && last.readyMs === readyMs ? samples : [...samples, { at, readyMs }];
}

/**
 * Milliseconds until the whole is narrated, from the pace seen so far; null until there is one. While nothing
 * arrives the pace sinks and the estimate grows: it is a measurement, not a promise.
 */
export function timeLeft(samples: readonly Sample[], expectedMs: number, at: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.readyMs <= first.readyMs) return null;
  const took = Math.max(last.at - first.at, at - last.at);
  const pace = (last.readyMs - first.readyMs) / Math.max(1, took);
  return Math.max(0, expectedMs - last.readyMs) / pace;
}

/** "About 40 seconds left." Rounded the way a person would say it. */
export function timeLeftText(stage: Stage, leftMs: number | null, readyMs: number): string {
  if (stage === Stage.LISTENING) return "A narrator will be free in a moment.";
  if (stage === Stage.FINISHING) return "Nearly there.";
  if (leftMs === null) return readyMs > 0 ? "The rest is on its way." : "The first words are on their way.";
  const seconds = leftMs / 1000;
  if (seconds < 8) return "A few seconds left.";
  if (seconds < 90) return `About ${Math.ceil(seconds / 10) * 10} seconds left.`;
  return `About ${Math.round(seconds / 60)} minutes left.`;
}
