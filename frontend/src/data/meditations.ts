import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { GeneratorService, JourneyService } from "@/gen/serein/web/v1/generator_pb";
import type { WatchMeditationResponse } from "@/gen/serein/web/v1/generator_pb";
import type { Data } from "@/lib/app";
import { refreshSession } from "./session";

/** What every feature about meditations shares: the stream that tells of one, and what to read again after a change. */

/** Reads that answer differently once a meditation was made, cancelled or has ended. Give them to a write as `invalidates`. */
export const MEDITATION_READS = [JourneyService, GeneratorService.method.getGenerator] as const;

/** Follows one meditation: its state, and the segments from `fromSegment` on. Runs until it ends or `signal` aborts. */
export const watchMeditation = (
  data: Data,
  id: string,
  fromSegment: number,
  signal: AbortSignal,
): AsyncIterable<WatchMeditationResponse> =>
  createClient(GeneratorService, data.transport).watchMeditation(
    { id, fromSegment },
    // It lasts as long as the making does; silence is watched by who listens.
    { signal, timeoutMs: 0 },
  );

/** What was shown of the journey is older than the news; balance and count come with the session. */
export function journeyChanged(data: Data): void {
  const [journey, generator] = MEDITATION_READS;
  for (const queryKey of [
    createConnectQueryKey({ schema: journey, cardinality: undefined }),
    createConnectQueryKey({ schema: generator, transport: data.transport, cardinality: undefined }),
  ])
    void data.queryClient.invalidateQueries({ queryKey });
  // A session that could not be read again is read with the next page.
  void refreshSession(data).catch(() => undefined);
}
