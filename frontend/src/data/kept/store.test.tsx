import { expect, test, vi } from "vitest";
import { emptyStore, keptItem, soundOf, storeWith } from "@/testing/kept";
import { DeviceFull, KeptStore } from "./store";

const RAIN = { id: "rain", url: "/media/tracks/rain.mp3", startMs: 0, lengthMs: 60_000 };
const one = keptItem({ loop: RAIN });
const two = keptItem({ id: "m2", audio: "/media/meditations/m2/audio", loop: RAIN });

const has = async (store: KeptStore, url: string) =>
  (await store.bytes(url, { first: 0, last: 0 })).byteLength > 0;

test("another tab finds what one has kept, the newest first", async () => {
  const store = await storeWith(one, { ...two, keptAt: 2 });
  const other = new KeptStore();
  expect((await other.items()).map(({ id }) => id)).toEqual(["m2", "m1"]);
  expect(await other.item("m1")).toEqual(one);
  other.close();
  expect(await store.items()).toHaveLength(2);
});

test("a file that another recording has is not fetched again, and stays until the last of them goes", async () => {
  const store = await storeWith(one);
  await store.add(two, new Map([[two.audio, soundOf(10)]]));
  await store.remove(["m1"]);
  expect(await has(store, one.audio)).toBe(false);
  expect(await has(store, RAIN.url)).toBe(true);
  await store.remove(["m2"]);
  expect(await has(store, RAIN.url)).toBe(false);
});

test("a recording of which a file is missing is not kept at all", async () => {
  const store = await emptyStore();
  await expect(store.add(one, new Map([[one.audio, soundOf(10)]]))).rejects.toThrow("is not here");
  expect(await store.items()).toEqual([]);
  expect(await has(store, one.audio)).toBe(false);
});

test("on a full disk nothing of a recording is kept, and what was kept stays", async () => {
  const store = await storeWith(one);
  const put = IDBObjectStore.prototype.put;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    if (this.name === "items") throw new DOMException("full", "QuotaExceededError");
    return put.call(this, value, key);
  });
  await expect(store.add(two, new Map([[two.audio, soundOf(10)]]))).rejects.toThrow(DeviceFull);
  full.mockRestore();
  expect((await store.items()).map(({ id }) => id)).toEqual(["m1"]);
  expect(await has(store, two.audio)).toBe(false);
  expect(await has(store, one.audio)).toBe(true);
});

test("clearing leaves nothing, not even whose it was", async () => {
  const store = await storeWith(one);
  await store.keepPlace({ id: "m1", positionMs: 1, durationMs: 2, heardAt: 3, unsent: true, turn: 1n });
  await store.clear();
  expect(await store.items()).toEqual([]);
  expect(await store.places()).toEqual([]);
  expect(await has(store, one.audio)).toBe(false);
  expect(await store.keeper()).toEqual({ uid: "", open: false, seenAt: 0 });
});
