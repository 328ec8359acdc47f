import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { generator as copy } from "@/copy/generator";
import { player as playerCopy } from "@/copy/player";
import { useData } from "@/data/data";
import { repeated } from "@/data/repeat";
import type { Narrator } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { usePlayer } from "@/player/hooks";
import { createSampleEngine, sampleRecording } from "@/player/sample/sample";

/** How to ask while a sentence is missing: for about ten minutes. */
const ASK_AGAIN = { firstMs: 3_000, mostMs: 30_000, times: 25 };

/** All narrators, and what is in the way of showing them; "" where nothing is. */
export function useVoices(): { voices: readonly Narrator[]; trouble: string } {
  const { data, failureCount, errorUpdateCount } = useQuery(
    GeneratorService.method.listNarrators,
    {},
    {
      refetchInterval: (query) =>
        query.state.data?.narrators.every((n) => n.sampleUrl) ? false : repeated(query, ASK_AGAIN),
    },
  );
  if (data) return { voices: data.narrators, trouble: "" };
  if (errorUpdateCount > ASK_AGAIN.times) return { voices: [], trouble: copy.narrators.over };
  return { voices: [], trouble: copy.narrators[failureCount + errorUpdateCount > 0 ? "away" : "loading"] };
}

/** Plays one sentence at a time, with the engine of the minute's sample, so that both never sound together. It ends with the list. */
export function useHearing() {
  const { engine } = usePlayer();
  const samples = useData().part(createSampleEngine);
  const { subscribe } = samples;
  const chosen = useRef("");
  useEffect(
    () => () => {
      if (samples.snapshot().recording?.id === chosen.current) samples.pause();
    },
    [samples],
  );
  const sounding = useSyncExternalStore(subscribe, () => {
    const { wanted, recording } = samples.snapshot();
    return wanted ? recording?.id : undefined;
  });
  const state = useSyncExternalStore(subscribe, () =>
    samples.snapshot().blocked ? "blocked" : samples.snapshot().state,
  );
  const toggle = ({ name, sampleUrl, sampleDurationMs }: Narrator) => {
    if (sounding === sampleUrl) return samples.pause();
    chosen.current = sampleUrl;
    engine.pause();
    samples.unlock();
    samples.load(sampleRecording({ audioUrl: sampleUrl, durationMs: sampleDurationMs }, name));
    samples.play();
  };
  const trouble = state === "blocked" || state === "failed" ? playerCopy.states[state] : "";
  return { sounding, toggle, trouble };
}
