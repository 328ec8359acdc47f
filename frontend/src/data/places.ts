import type { MessageInitShape } from "@bufbuild/protobuf";
import { callUnaryMethod } from "@connectrpc/connect-query";
import type { SavePlaceRequestSchema } from "@/gen/serein/web/v1/player_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import type { Data } from "@/lib/app";
import type { Item } from "./items";

/** Where the member stopped in each recording, the same on all their devices. Each throws as its call does. */
export const placesOf = ({ transport }: Data) => ({
  get: (item: Item) => callUnaryMethod(transport, PlayerService.method.getPlace, { item }),
  start: (item: Item, takeOver: boolean) =>
    callUnaryMethod(transport, PlayerService.method.startListening, { item, takeOver }),
  save: (write: MessageInitShape<typeof SavePlaceRequestSchema>) =>
    callUnaryMethod(transport, PlayerService.method.savePlace, {
      ...write,
      // Says which day the member's diary has, where they keep one.
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
    }),
});

export type Places = ReturnType<typeof placesOf>;
