import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { ItemRef } from "@/gen/serein/web/v1/items_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import { savedOfLibrary } from "./mock-library";

/** Places from memory. `?scene=elsewhere`: another device plays; `?scene=away`: nobody answers; `?scene=empty`: nothing was begun. */

const scene = () => new URLSearchParams(window.location.search).get("scene") ?? "";

const MINUTE = 60_000n;

function beThere(): void {
  if (scene() === "away") throw new ConnectError("no route", Code.Unavailable);
}

/** `made` are the member's own. */
export function mockPlayer(router: ConnectRouter, made: () => Meditation[]): void {
  const positions = new Map<string, bigint>();
  let turn = 0n;
  const of = (item: ItemRef | undefined) => positions.get(`${item?.kind}/${item?.id}`) ?? 0n;
  router.service(PlayerService, {
    startListening: ({ item, takeOver }) => {
      beThere();
      if (scene() === "elsewhere" && !takeOver)
        return { otherDevice: true, otherTitle: "The lake after rain" };
      turn += 1n;
      return { turn, positionMs: of(item) };
    },
    savePlace: ({ item, positionMs }) => {
      beThere();
      positions.set(`${item?.kind}/${item?.id}`, positionMs);
      return { moved: false };
    },
    getPlace: ({ item }) => {
      beThere();
      return { positionMs: of(item) };
    },
    listPlaces: ({ pageSize }) => {
      beThere();
      if (scene() === "empty") return {};
      const own = made()[0];
      const [lake, lanterns] = savedOfLibrary(false);
      const places = [
        {
          item: { kind: ItemKind.MEDITATION, id: lake?.id ?? "" },
          positionMs: 3n * MINUTE,
          durationMs: 492_000n,
          card: { case: "meditation" as const, value: lake ?? {} },
        },
        {
          item: { kind: ItemKind.BESPOKE, id: own?.id ?? "" },
          positionMs: MINUTE,
          durationMs: own?.expectedMs ?? 366_000n,
          card: { case: "bespoke" as const, value: own ?? {} },
        },
        {
          item: { kind: ItemKind.MEDITATION, id: lanterns?.id ?? "" },
          positionMs: 2n * MINUTE,
          durationMs: 546_000n,
          card: { case: "meditation" as const, value: lanterns ?? {} },
        },
      ];
      return { places: places.slice(0, pageSize || 3) };
    },
  });
}
