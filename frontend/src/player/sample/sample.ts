import type { GetSampleResponse } from "@/gen/serein/web/v1/generator_pb";
import { browserPorts } from "../engine/browser";
import { PlayerEngine } from "../engine/engine";
import type { Engine, Recording } from "../engine/types";

/** What can be heard before a decision: Serein's own minute, and a sentence by each narrator. Their player is separate, so a meditation keeps its place. */

/** A part of Data. The lock screen stays with the meditation. */
export const createSampleEngine = (): Engine =>
  new PlayerEngine({ ...browserPorts(), mediaSession: undefined });

export function sampleRecording(
  { audioUrl, durationMs }: Pick<GetSampleResponse, "audioUrl" | "durationMs">,
  title: string,
): Recording {
  const length = Number(durationMs);
  return {
    id: audioUrl,
    title,
    artist: "",
    passages: [{ index: 0, startMs: 0, durationMs: length, url: audioUrl }],
    url: audioUrl,
    durationMs: length,
    complete: true,
  };
}
