import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { GeneratorService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { Place, SavePlaceRequest } from "@/gen/serein/web/v1/player_pb";
import { PlaceSchema, PlayerService } from "@/gen/serein/web/v1/player_pb";
import { keptItem, storeWith } from "@/testing/kept";
import { meditation } from "@/testing/meditations";
import { createSetting } from "@/testing/page";
import { contact } from "./contact";

/** A place that was reached in flight, at noon; the device knew of turn 3. */
const FLOWN = { id: "m1", positionMs: 90_500, durationMs: 360_000, heardAt: 12_000, unsent: true, turn: 3n };

interface Gateway {
  /** The newest turn that it knows. */
  turn: bigint;
  places?: Place[];
  otherDevice?: boolean;
}

/** Meets a gateway, and answers with what was written there. */
async function meet({ turn, places = [], otherDevice = false }: Gateway, held: string | null = null) {
  const store = await storeWith(keptItem());
  await store.keepPlace(FLOWN);
  const saved: SavePlaceRequest[] = [];
  const { data } = createSetting({
    gateway: ({ rpc }) => {
      rpc(GeneratorService.method.getMeditation, () => ({
        meditation: meditation({ id: "m1", title: "Renamed since", stage: Stage.READY }),
      }));
      rpc(PlayerService.method.getPlace, () => ({ turn, positionMs: 5_000n }));
      rpc(PlayerService.method.listPlaces, () => ({ places }));
      rpc(PlayerService.method.startListening, () =>
        otherDevice ? { otherDevice } : { turn: turn + 1n, lastTurn: turn },
      );
      rpc(PlayerService.method.savePlace, (request) => {
        saved.push(request);
        return {};
      });
    },
  });
  await contact(data, held);
  return { store, saved };
}

const heard = (at: number) =>
  create(PlaceSchema, { item: { kind: ItemKind.BESPOKE, id: "m1" }, heardAt: timestampFromMs(at) });

test("a place that was reached in flight is handed over where nobody has listened since", async () => {
  const { store, saved } = await meet({ turn: 3n });
  expect(saved).toMatchObject([
    { item: { id: "m1" }, turn: 4n, step: 1n, positionMs: 90_500n, durationMs: 360_000n, playing: false },
  ]);
  expect(await store.place("m1")).toMatchObject({ unsent: false });
});

test("it is handed over too where another device was listened to before it", async () => {
  expect((await meet({ turn: 5n, places: [heard(11_999)] })).saved).toHaveLength(1);
});

test.each([
  ["later", [heard(12_001)]],
  ["to the end", []],
])("where another device was listened to %s, its place stands", async (_, places) => {
  const { store, saved } = await meet({ turn: 5n, places });
  expect(saved).toEqual([]);
  expect(await store.place("m1")).toMatchObject({ unsent: false, positionMs: 5_000, turn: 5n });
});

test("while another device plays, and while this page does, the place waits", async () => {
  for (const [gateway, held] of [
    [{ turn: 3n, otherDevice: true }, null],
    [{ turn: 3n }, "m1"],
  ] as const) {
    const { store, saved } = await meet(gateway, held);
    expect(saved).toEqual([]);
    expect(await store.place("m1")).toMatchObject(FLOWN);
  }
});

test("a title that was changed elsewhere is taken over", async () => {
  const { store } = await meet({ turn: 3n });
  expect((await store.item("m1"))?.title).toBe("Renamed since");
});
