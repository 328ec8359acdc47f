import { Stage } from "@/gen/serein/web/v1/generator_pb";
import { hasEnded } from "@/data/live-meditation";
import type { AmbientTrack, Meditation, Segment } from "@/gen/serein/web/v1/generator_pb";
import type { Loop, Recording } from "./engine/types";

/** Translates the gateway's meditations into what the engine and the transcript need. */

export function recordingOf(meditation: Meditation, segments: readonly Segment[]): Recording {
  const all = meditation.passagesTotal > 0 && segments.length >= meditation.passagesTotal;
  return {
    id: meditation.id,
    title: meditation.title,
    artist: meditation.narratorName,
    passages: segments.map((s) => ({
      index: s.index,
      startMs: Number(s.startMs),
      durationMs: Number(s.durationMs),
      url: s.audioUrl,
    })),
    url: meditation.audioUrl || undefined,
    durationMs: Number(meditation.expectedMs),
    complete: hasEnded(meditation.stage) || (meditation.stage === Stage.FINISHING && all),
  };
}

/** Something that is recorded as a whole: a meditation of the library, or what an article sounds like. */
export interface Recorded {
  id: string;
  title: string;
  narrator: string;
  url: string;
  seconds: number;
  /** Its print. */
  scene: string;
  seed: string;
  /** The page where it is found. */
  to: string;
  /** The sound beneath; null for the voice alone. */
  loop: Loop | null;
  /** It was made to have a sound beneath: the one that is chosen for the library. */
  immersive: boolean;
  /** The address of its editor's picture. */
  picture?: string | undefined;
}

export function wholeOf({ id, title, narrator, url, seconds, picture }: Recorded): Recording {
  const durationMs = seconds * 1000;
  const passages = [{ index: 0, startMs: 0, durationMs, url }];
  return { id, title, artist: narrator, passages, url, durationMs, complete: true, picture };
}

export function loopOf(track: AmbientTrack | undefined): Loop | null {
  if (!track) return null;
  return { id: track.id, url: track.url, startMs: track.loopStartMs, lengthMs: track.loopLengthMs };
}

/** A spoken line or a written silence of the transcript; times in milliseconds on the recording. */
export type ScriptItem =
  | { kind: "line"; text: string; startMs: number; endMs: number }
  | { kind: "quiet"; startMs: number; lengthMs: number };

/** Shorter gaps are breath, not silence. */
export const QUIET_MS = 900;

export function scriptOf(segments: readonly Segment[]): ScriptItem[] {
  return segments.flatMap((s): ScriptItem[] => {
    const lines = s.lines.map((l) => ({
      kind: "line" as const,
      text: l.text,
      startMs: Number(l.startMs),
      endMs: Number(l.endMs),
    }));
    const lengthMs = Number(s.silenceMs);
    if (lengthMs < QUIET_MS) return lines;
    return [...lines, { kind: "quiet", lengthMs, startMs: Number(s.startMs + s.durationMs) - lengthMs }];
  });
}

/** The index of the line being spoken, or spoken last; -1 before the first. */
export function currentLine(script: readonly ScriptItem[], positionMs: number): number {
  return script.findLastIndex((item) => item.kind === "line" && item.startMs <= positionMs);
}

const WORDS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

/** "Six seconds of quiet" */
export function quietText(lengthMs: number): string {
  const seconds = Math.max(1, Math.round(lengthMs / 1000));
  const count = WORDS[seconds] ?? String(seconds);
  return `${count} ${seconds === 1 ? "second" : "seconds"} of quiet`;
}

/** How many small rings stand for a silence: one for two seconds, three at most. */
export const quietRings = (lengthMs: number): number => Math.min(3, Math.max(1, Math.round(lengthMs / 2000)));
