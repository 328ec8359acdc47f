import type { MessageInitShape } from "@bufbuild/protobuf";
import { callUnaryMethod } from "@connectrpc/connect-query";
import type { Query } from "@tanstack/react-query";
import type { SavePlaceRequestSchema } from "@/gen/serein/web/v1/player_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import type { Data } from "@/lib/app";
import type { Item } from "./items";

/** What is nearer than this to the end counts as heard to the end (ms), as content counts it. */
const NEAR_END_MS = 3000n;

/** The reads of courses, by the service's name alone: the player needs nothing else of its contract. */
const ofCourses = {
  predicate: ({ queryKey }: Pick<Query, "queryKey">) =>
    (queryKey[1] as { serviceName?: string } | undefined)?.serviceName === "serein.web.v1.CoursesService",
};

/** Where the member stopped in each recording, the same on all their devices. Each throws as its call does. */
export const placesOf = ({ transport, queryClient }: Data) => ({
  get: (item: Item) => callUnaryMethod(transport, PlayerService.method.getPlace, { item }),
  start: (item: Item, takeOver: boolean) =>
    callUnaryMethod(transport, PlayerService.method.startListening, { item, takeOver }),
  save: async (write: MessageInitShape<typeof SavePlaceRequestSchema>) => {
    const answer = await callUnaryMethod(transport, PlayerService.method.savePlace, {
      ...write,
      // Says which day the member's diary has, where they keep one.
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
    });
    const { positionMs = 0n, durationMs = 0n } = write;
    // What was heard to its end may be a day of a course that is done now.
    if (positionMs > durationMs - NEAR_END_MS) void queryClient.invalidateQueries(ofCourses);
    return answer;
  },
});

export type Places = ReturnType<typeof placesOf>;
