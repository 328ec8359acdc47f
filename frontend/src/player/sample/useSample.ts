import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { player as copy } from "@/copy/player";
import { useData } from "@/data/data";
import { repeated } from "@/data/repeat";
import type { AmbientTrack, GetSampleResponse } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { loopOf } from "../recording";
import type { Engine } from "../engine/types";
import { createSampleEngine, sampleRecording } from "./sample";

/** How to ask while there is no recording: for about ten minutes. */
export const ASK_AGAIN = { firstMs: 3_000, mostMs: 30_000, times: 25 };

/** What a page shows of the sample. */
export interface SampleState {
  /** It was asked for, and sounds or will. */
  wanted: boolean;
  toggle: () => void;
  lines: readonly { text: string }[];
  /** The place in `lines` of the one that is spoken, or was spoken last; -1 before the first. */
  spoken: number;
  /** What keeps it from being heard; "" when nothing does. */
  trouble: string;
}

/** What the engine does, in plain values: the page redraws only when one changes. */
function useNow(engine: Engine) {
  return {
    wanted: useSyncExternalStore(engine.subscribe, () => engine.snapshot().wanted),
    loaded: useSyncExternalStore(engine.subscribe, () => engine.snapshot().recording?.id),
    state: useSyncExternalStore(engine.subscribe, () =>
      engine.snapshot().blocked ? "blocked" : engine.snapshot().state,
    ),
    at: useSyncExternalStore(engine.subscribe, () => Math.floor(engine.snapshot().positionMs / 100) * 100),
  };
}

/** Loads the sample where another one is loaded, and plays it. */
function start(engine: Engine, sample: GetSampleResponse) {
  engine.load(sampleRecording(sample, copy.sample.title));
  engine.play();
}

/** The sample with `track` beneath it (undefined: the voice alone). Nothing is fetched before the first press. */
export function useSample(track: AmbientTrack | undefined): SampleState {
  const engine = useData().part(createSampleEngine);
  const [asked, ask] = useState(false);
  const { data, failureCount, errorUpdateCount } = useQuery(
    GeneratorService.method.getSample,
    {},
    {
      enabled: asked,
      staleTime: Infinity,
      refetchInterval: (query) => (query.state.data ? false : repeated(query, ASK_AGAIN)),
    },
  );
  const { wanted, loaded, state, at } = useNow(engine);
  // A narrator's sentence may have taken its place.
  const mine = data !== undefined && loaded === data.audioUrl;
  const spoken = mine ? data.lines.findLastIndex((line) => Number(line.startMs) <= at) : -1;

  useEffect(() => engine.setTrack(loopOf(track)), [engine, track]);
  useEffect(() => {
    if (asked && data) start(engine, data);
  }, [engine, asked, data]);
  useEffect(() => () => engine.unload(), [engine]);

  const toggle = () => {
    // The press is the only moment a browser lets us unlock the sound that comes later.
    engine.unlock();
    if (!data) return ask(!asked);
    if (mine && wanted) engine.pause();
    else start(engine, data);
  };
  const away = asked && !data && (failureCount > 0 || errorUpdateCount > 0);
  const trouble = () => {
    if (away) return errorUpdateCount > ASK_AGAIN.times ? copy.sample.over : copy.sample.away;
    return mine && (state === "blocked" || state === "failed") ? copy.states[state] : "";
  };
  return {
    wanted: data ? mine && wanted : asked,
    toggle,
    lines: data?.lines ?? [],
    spoken,
    trouble: trouble(),
  };
}
