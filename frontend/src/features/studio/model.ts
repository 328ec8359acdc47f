import type { Choice, Made } from "@/gen/serein/web/v1/studio_pb";
import { NarrationState } from "@/gen/serein/web/v1/studio_pb";

/** The workroom's rules, without a page. The server decides; this only spares an admin a wait. */

export type Kind = "meditation" | "article";

export interface Answers {
  title: string;
  /** Ids of the chosen ones; "" for none yet. */
  type: string;
  practice: string;
  /** The script of a meditation, or the Markdown of an article. */
  script: string;
  immersive: boolean;
  intro: boolean;
  open: boolean;
  /** In place of the type's own; "" for that. */
  narratorId: string;
}

export const FRESH: Answers = {
  title: "",
  type: "",
  practice: "",
  script: "",
  immersive: false,
  intro: false,
  open: false,
  narratorId: "",
};

export type Needed = "title" | "type" | "practice" | "script";

/** What Generate still waits for, in the order of the form. */
export const missing = (a: Answers): Needed[] =>
  (["title", "type", "practice", "script"] as const).filter((name) => a[name].trim() === "");

/** A pause as it is written. */
const PAUSE = /\[pause (\d{1,2})\]/g;
/** Anything in square brackets, or that begins or ends like it: in a script there may be pauses alone. */
const BRACKETED = /\[[^\]\n]*\]?|\]/g;
const MAX_PAUSE = 60;

/** Words, and seconds of written pauses. */
export function counted(script: string): { words: number; pauseSeconds: number } {
  let pauseSeconds = 0;
  for (const [, seconds = ""] of script.matchAll(PAUSE)) pauseSeconds += Number(seconds);
  const words = script
    .replace(PAUSE, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { words, pauseSeconds };
}

const isPause = (said: string): boolean => {
  const [whole, seconds] = [...said.matchAll(PAUSE)].at(0) ?? [];
  return whole === said && Number(seconds) >= 1 && Number(seconds) <= MAX_PAUSE;
};

/** The line of the first thing in brackets that is no pause of 1 to 60 whole seconds, from 1; 0 where all are well. */
export function faultyPause(script: string): number {
  const lines = script.split("\n");
  return 1 + lines.findIndex((line) => (line.match(BRACKETED) ?? []).some((said) => !isPause(said)));
}

/** The narrators' pace while they speak, as content's catalogue has it. */
const WORDS_PER_MINUTE = 118;
/** Quiet around an immersive script, in seconds. */
const BEFORE = 6;
const AFTER = 4;

/** Seconds of quiet: what is written, and what lies around an immersive one. */
export const quietSeconds = (script: string, immersive: boolean): number =>
  counted(script).pauseSeconds + (immersive ? BEFORE + AFTER : 0);

/** Seconds it will last: words at the narrators' pace, and the quiet. */
export const expectedSeconds = (script: string, immersive: boolean): number =>
  Math.round((counted(script).words / WORDS_PER_MINUTE) * 60) + quietSeconds(script, immersive);

const READ_PER_MINUTE = 220;

export const readMinutes = (text: string): number => Math.ceil(counted(text).words / READ_PER_MINUTE);

/** A length in one glance: "42 s", else "4:12". */
export function briefLength(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const named = (choices: readonly Choice[], id: string): Choice | undefined =>
  choices.find((c) => c.id === id);

/** Its sound is on its way. */
export function isUnderWay({ narration }: Made): boolean {
  if (!narration) return false;
  return narration.state !== NarrationState.DONE && narration.state !== NarrationState.UNSPECIFIED;
}

/** How far the narration is, 0 to 1. */
export function shareOf({ narration }: Made): number {
  if (!narration || narration.passagesTotal === 0) return 0;
  return Math.min(1, narration.passagesDone / narration.passagesTotal);
}
