import { browserPorts } from "../engine/browser";
import { PlayerEngine } from "../engine/engine";
import type { Engine, Recording } from "../engine/types";

/** One recording inside a page, such as an article read aloud: it ends with its page, and the mini player is not its. */

/** A part of Data. */
export const createInlineEngine = (): Engine => new PlayerEngine(browserPorts());

interface Sound {
  url: string;
  title: string;
  /** Who reads it. */
  narrator: string;
  seconds: number;
}

/** A recording that is there as a whole. */
export function wholeRecording({ url, title, narrator, seconds }: Sound): Recording {
  const durationMs = seconds * 1000;
  return {
    id: url,
    title,
    artist: narrator,
    passages: [{ index: 0, startMs: 0, durationMs, url }],
    url,
    durationMs,
    complete: true,
  };
}
