import { expect, test } from "vitest";
import { member } from "@/testing/member";
import { keptItem, MEGABYTE, soundOf, storeWith } from "@/testing/kept";
import { answerKept } from "./answer";
import type { KeptStore } from "./store";

const URL_OF = "/media/meditations/m1/audio";
const SIZE = 2 * MEGABYTE + 500;
const NOW = 1_000;

const ask = (store: KeptStore, headers: HeadersInit = {}, now = NOW) =>
  answerKept(store, URL_OF, new Headers(headers), now);

/** The bytes that such a range has, both ends included. */
const slice = (first: number, last: number) => new Uint8Array(soundOf(SIZE)).slice(first, last + 1);

/** Whether an answer has just these bytes: a matcher would take seconds for a megabyte. */
async function has(answer: Response | null, first: number, last: number): Promise<boolean> {
  const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer(0));
  const expected = slice(first, last);
  return bytes.length === expected.length && bytes.every((byte, i) => byte === expected[i]);
}

test("a kept sound is answered whole without a range", async () => {
  const answer = await ask(await storeWith(keptItem({}, SIZE)));
  expect(answer?.status).toBe(200);
  expect(answer?.headers.get("Content-Length")).toBe(String(SIZE));
  expect(answer?.headers.get("Accept-Ranges")).toBe("bytes");
  expect(answer?.headers.get("Content-Type")).toBe("audio/mpeg");
  expect(await has(answer, 0, SIZE - 1)).toBe(true);
});

test.each([
  ["bytes=0-", 0, SIZE - 1],
  ["bytes=10-19", 10, 19],
  [`bytes=${MEGABYTE - 5}-${MEGABYTE + 4}`, MEGABYTE - 5, MEGABYTE + 4],
  [`bytes=${MEGABYTE}-${2 * MEGABYTE}`, MEGABYTE, 2 * MEGABYTE],
  ["bytes=-300", SIZE - 300, SIZE - 1],
  [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
])("%s is answered with just these bytes", async (range, first, last) => {
  const answer = await ask(await storeWith(keptItem({}, SIZE)), { Range: range });
  expect(answer?.status).toBe(206);
  expect(answer?.headers.get("Content-Range")).toBe(`bytes ${first}-${last}/${SIZE}`);
  expect(answer?.headers.get("Content-Length")).toBe(String(last - first + 1));
  expect(await has(answer, first, last)).toBe(true);
});

test("a range past the end is refused with the length", async () => {
  const answer = await ask(await storeWith(keptItem({}, SIZE)), { Range: `bytes=${SIZE}-` });
  expect(answer?.status).toBe(416);
  expect(answer?.headers.get("Content-Range")).toBe(`bytes */${SIZE}`);
});

test("a range of another version of the file is answered with the whole", async () => {
  const store = await storeWith(keptItem({}, SIZE));
  const range = { Range: "bytes=0-9" };
  expect((await ask(store, { ...range, "If-Range": '"another"' }))?.status).toBe(200);
  expect((await ask(store, { ...range, "If-Range": `"${URL_OF}"` }))?.status).toBe(206);
});

test("what belongs to a plan is answered until it ends, by whichever clock is later", async () => {
  const store = await storeWith(keptItem({ kind: "library", until: 5_000 }));
  expect((await ask(store, {}, 4_999))?.status).toBe(200);
  expect(await ask(store, {}, 5_000)).toBeNull();
  await store.setKeeper({ uid: member().uid, open: true, seenAt: 6_000 });
  expect(await ask(store, {}, 1_000), "the device's clock was set back").toBeNull();
});

test("a file that a recording without an end has too is answered after the plan", async () => {
  const loop = { id: "rain", url: URL_OF, startMs: 0, lengthMs: 1 };
  const own = keptItem({ id: "m2", audio: "/media/meditations/m2/audio", loop });
  const store = await storeWith(keptItem({ kind: "library", until: 5_000 }), own);
  expect((await ask(store, {}, 9_000))?.status).toBe(200);
});

test("while its member is not signed in nothing is answered", async () => {
  const store = await storeWith(keptItem());
  await store.setKeeper({ uid: member().uid, open: false, seenAt: 0 });
  expect(await ask(store)).toBeNull();
});

test("what is not kept, and what the browser has lost bytes of, is left to the network", async () => {
  const store = await storeWith(keptItem({}, SIZE));
  expect(await answerKept(store, "/media/meditations/m2/audio", new Headers(), NOW)).toBeNull();
  const item = keptItem({ id: "m3", audio: "/media/m3" }, SIZE);
  await store.add(item, new Map([["/media/m3", soundOf(SIZE - 1)]]));
  expect(await answerKept(store, "/media/m3", new Headers(), NOW)).toBeNull();
});
