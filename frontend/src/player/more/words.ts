import type { ScriptItem } from "../recording";
import { QUIET_MS } from "../recording";

/** "01:02:03.004" in milliseconds. */
function timeOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000);
}

const NAMED: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** The lines of a narration and the silences between them, from the WebVTT that generation writes. */
export function wordsOf(vtt: string): ScriptItem[] {
  const cues = vtt
    .split(/\r?\n\r?\n/)
    .map((block) => /^([\d:.]+) --> ([\d:.]+).*\r?\n([^]*)$/.exec(block.trim()));
  return cues.flatMap((cue, i): ScriptItem[] => {
    const [, start = "", end = "", text = ""] = cue ?? [];
    if (!cue) return [];
    const endMs = timeOf(end);
    const line = {
      kind: "line" as const,
      text: text.replace(/&\w+;/g, (name) => NAMED[name] ?? name),
      startMs: timeOf(start),
      endMs,
    };
    const next = cues[i + 1]?.[1];
    const lengthMs = next ? timeOf(next) - endMs : 0;
    return lengthMs < QUIET_MS ? [line] : [line, { kind: "quiet", startMs: endMs, lengthMs }];
  });
}

/** The address of a narration's words, beside its sound; null for a sound without words. */
const addressOf = (sound: string): string | null =>
  /\/media\/narrations\/[^/]+\.mp3$/.test(sound) ? sound.replace(/\.mp3$/, ".vtt") : null;

/** The sentences of a narration of the library or an article, with their times. Empty where it was narrated before they were kept, or they cannot be read now. */
export async function fetchWords(sound: string, signal: AbortSignal): Promise<ScriptItem[]> {
  const address = addressOf(sound);
  const answer = address ? await fetch(address, { signal }) : null;
  return answer?.ok ? wordsOf(await answer.text()) : [];
}
