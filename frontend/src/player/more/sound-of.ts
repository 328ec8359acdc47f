import { createQueryOptions } from "@connectrpc/connect-query";
import type { Data } from "@/lib/app";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import type { Loop } from "../engine/types";
import { loopOf } from "../recording";

/** A sound as the list of sounds has it now; null where it is not there. Rejects where the list cannot be read. */
export async function soundOf({ queryClient, transport }: Data, id: string): Promise<Loop | null> {
  const list = createQueryOptions(GeneratorService.method.getGenerator, {}, { transport });
  const { tracks } = await queryClient.fetchQuery(list);
  return loopOf(tracks.find((track) => track.id === id));
}
