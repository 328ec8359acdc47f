import type { Passage, Recording } from "./types";

/** Where a moment of the recording lies among its passages. */
export interface Place {
  passage: Passage;
  offsetMs: number;
}

/** A seek stays this far from the edge of what is narrated, so that there is something to hear. */
const EDGE_MS = 250;

export function readyMs(recording: Recording): number {
  if (recording.url !== undefined) return recording.durationMs;
  const last = recording.passages.at(-1);
  return last ? last.startMs + last.durationMs : 0;
}

export function locate(passages: readonly Passage[], positionMs: number): Place | null {
  const found = passages.findLast((p) => p.startMs <= positionMs) ?? passages[0];
  if (!found) return null;
  const offset = Math.min(Math.max(0, positionMs - found.startMs), found.durationMs);
  return { passage: found, offsetMs: offset };
}

export function clampSeek(recording: Recording, positionMs: number): number {
  const end = readyMs(recording);
  const last = recording.complete ? end : Math.max(0, end - EDGE_MS);
  return Math.min(Math.max(0, positionMs), last);
}
