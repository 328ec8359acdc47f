import { expect, test, vi } from "vitest";
import {
  emptyStore,
  keepable,
  keptItem,
  keptOf,
  MEGABYTE,
  serveFiles,
  soundOf,
  storeWith,
} from "@/testing/kept";
import { member } from "@/testing/member";
import type { Kept } from "./kept";
import { planEnd, troubleOf } from "./kept";
import { KeptStore } from "./store";

const AUDIO = keepable().audio;
const nobody = () => undefined;

async function keep(
  kept: Kept,
  of = keepable(),
  signal = new AbortController().signal,
  onBytes = vi.fn<(n: number) => void>(),
) {
  const files = await kept.describe(of, signal);
  await kept.keep(of, files, member(), signal, onBytes);
  return onBytes;
}

const trouble = async (work: Promise<unknown>) =>
  troubleOf(await work.then(nobody, (cause: unknown) => cause));

test("a recording is kept with the bytes that were said before, and belongs to its member", async () => {
  serveFiles({ [AUDIO]: soundOf(3_000) });
  const kept = keptOf(await emptyStore());
  const onBytes = await keep(kept);
  expect(onBytes.mock.calls.flat().reduce((a, b) => a + b, 0)).toBe(3_000);
  expect(kept.now.get()?.items.map(({ files }) => files)).toEqual([
    [{ url: AUDIO, bytes: 3_000, type: "audio/mpeg", etag: '"1"' }],
  ]);
  expect(kept.now.get()?.keeper).toEqual({ uid: member().uid, open: true, seenAt: 0 });
});

test("the app itself is kept before the recording is; without it nothing is kept", async () => {
  serveFiles({ [AUDIO]: soundOf(3_000) });
  const kept = keptOf(await emptyStore(), { keepApp: () => Promise.reject(new TypeError("away")) });
  expect(await trouble(keep(kept))).toBe("line");
  expect((await kept.read()).items).toEqual([]);
});

test.each([
  ["refuse", () => Promise.reject(new Error("no"))],
  ["never answer", () => new Promise(nobody)],
])("the browser is asked at the first keeping alone not to clear it, and may %s", async (_, answer) => {
  const [first, second] = [keepable(), keepable({ id: "m2", audio: "/media/meditations/m2/audio" })];
  serveFiles({ [first.audio]: soundOf(10), [second.audio]: soundOf(10) });
  const persist = vi.fn<() => Promise<unknown>>(answer);
  const kept = keptOf(await emptyStore(), { persist });
  await keep(kept, first);
  await keep(kept, second);
  expect(persist).toHaveBeenCalledOnce();
  expect(kept.now.get()?.items).toHaveLength(2);
});

test("a device without room says so before anything is fetched", async () => {
  const asked = serveFiles({ [AUDIO]: soundOf(3_000) });
  const kept = keptOf(await emptyStore(), { room: () => Promise.resolve(2_999) });
  expect(await trouble(keep(kept))).toBe("full");
  expect(asked).toEqual([`HEAD ${AUDIO}`]);
});

test("other bytes than were announced are not kept", async () => {
  const files: Record<string, ArrayBuffer> = { [AUDIO]: soundOf(3_000) };
  serveFiles(files);
  const kept = keptOf(await emptyStore());
  const { signal } = new AbortController();
  const described = await kept.describe(keepable(), signal);
  for (const [bytes, why] of [
    [2_999, "line"],
    [3_001, "changed"],
  ] as const) {
    files[AUDIO] = soundOf(bytes);
    expect(await trouble(kept.keep(keepable(), described, member(), signal, nobody))).toBe(why);
  }
  const another = described.map((file) => ({ ...file, etag: '"2"' }));
  files[AUDIO] = soundOf(3_000);
  expect(await trouble(kept.keep(keepable(), another, member(), signal, nobody))).toBe("changed");
  expect((await kept.read()).items).toEqual([]);
});

test("what the gateway does not have, and a line that breaks, are told apart", async () => {
  serveFiles({ [AUDIO]: 404 });
  expect(await trouble(keep(keptOf(await emptyStore())))).toBe("gone");
  serveFiles({ [AUDIO]: 503 });
  expect(await trouble(keep(keptOf(await emptyStore())))).toBe("line");
});

test("a download that is given up leaves nothing", async () => {
  serveFiles({ [AUDIO]: soundOf(3 * MEGABYTE) });
  const kept = keptOf(await emptyStore());
  const left = new AbortController();
  await expect(
    keep(
      kept,
      keepable(),
      left.signal,
      vi.fn<(n: number) => void>(() => left.abort()),
    ),
  ).rejects.toMatchObject({ name: "AbortError" });
  expect((await kept.read()).items).toEqual([]);
});

test("two tabs that keep the same recording at once fetch it once", async () => {
  const asked = serveFiles({ [AUDIO]: soundOf(3_000) });
  const store = await emptyStore();
  await Promise.all([keep(keptOf(store)), keep(keptOf(new KeptStore()))]);
  expect(asked.filter((one) => one.startsWith("GET"))).toHaveLength(1);
  expect(await store.items()).toHaveLength(1);
});

test("another tab sees what was kept and what was removed", async () => {
  serveFiles({ [AUDIO]: soundOf(10) });
  const store = await emptyStore();
  const [here, there] = [keptOf(store), keptOf(store)];
  await keep(here);
  await expect.poll(() => there.now.get()?.items.length).toBe(1);
  await here.remove(["m1"]);
  await expect.poll(() => there.now.get()?.items.length).toBe(0);
});

test("what another member kept here goes before anything of this one is kept", async () => {
  serveFiles({ [AUDIO]: soundOf(10) });
  const store = await storeWith(keptItem({ id: "theirs", audio: "/media/theirs" }));
  await store.setKeeper({ uid: "another", open: true, seenAt: 5 });
  await keep(keptOf(store));
  expect((await store.items()).map(({ id }) => id)).toEqual(["m1"]);
});

test("what is over by this device's clock is removed, and named", async () => {
  const store = await storeWith(
    keptItem(),
    keptItem({ id: "library/a", audio: "/media/a", kind: "library", until: 5 }),
  );
  const over = await keptOf(store).removeOver(6);
  expect(over.map(({ id }) => id)).toEqual(["library/a"]);
  expect((await store.items()).map(({ id }) => id)).toEqual(["m1"]);
});

test("a plan's end is that of its period, or of the days that a failed payment leaves", () => {
  const { plan } = member();
  if (!plan) throw new Error("the member of tests has a plan");
  expect(planEnd(member({ plan: { ...plan, endsAt: 5, graceUntil: 0 } }))).toBe(5);
  expect(planEnd(member({ plan: { ...plan, endsAt: 5, graceUntil: 9 } }))).toBe(9);
  expect(planEnd(member({ admin: true }))).toBe(0);
});
