import { onTestFinished, vi } from "vitest";
import type { KeepPorts } from "@/data/kept/kept";
import { createKept, Kept } from "@/data/kept/kept";
import type { Keepable, KeptItem } from "@/data/kept/records";
import { addressesOf } from "@/data/kept/records";
import { KeptStore } from "@/data/kept/store";
import type { Data } from "@/lib/app";
import { member } from "./member";

export const MEGABYTE = 1 << 20;

/** Bytes that tell their place: each is its place modulo 251. */
export const soundOf = (bytes: number): ArrayBuffer =>
  Uint8Array.from({ length: bytes }, (_, i) => i % 251).buffer;

/** One of the member's own, of `more`. */
export const keepable = (more: Partial<Keepable> = {}): Keepable => ({
  id: "m1",
  kind: "bespoke",
  title: "After the long meeting",
  narrator: "Iris",
  scene: "calm",
  seed: "After the long meeting",
  lengthMs: 360_000,
  to: "/journey/m1",
  audio: "/media/meditations/m1/audio",
  picture: "",
  loop: null,
  words: [{ kind: "line", text: "Let the day go.", startMs: 0, endMs: 2_000 }],
  until: 0,
  ...more,
});

/** As it is kept, each of its files with so many bytes. */
export function keptItem(more: Partial<Keepable> = {}, bytes = 1_000): KeptItem {
  const of = keepable(more);
  const urls = addressesOf(of);
  return {
    ...of,
    urls,
    files: urls.map((url) => ({ url, bytes, type: "audio/mpeg", etag: `"${url}"` })),
    keptAt: 1,
  };
}

/** The device's storage, empty, for one test. */
export async function emptyStore(): Promise<KeptStore> {
  const store = new KeptStore();
  await store.clear();
  onTestFinished(async () => {
    await store.clear();
    store.close();
  });
  return store;
}

/** The same with recordings, kept by the member of tests. */
export async function storeWith(...items: KeptItem[]): Promise<KeptStore> {
  const store = await emptyStore();
  await store.setKeeper({ uid: member().uid, open: true, seenAt: 0 });
  for (const item of items)
    await store.add(item, new Map(item.files.map(({ url, bytes }) => [url, soundOf(bytes)])));
  return store;
}

/** What keeping needs, on a device with room and a worker that is there. */
export const ports = (more: Partial<KeepPorts> = {}): KeepPorts => ({
  keepApp: () => Promise.resolve(),
  room: () => Promise.resolve(100 * MEGABYTE),
  persist: () => Promise.resolve(true),
  ...more,
});

export const keptOf = (store: KeptStore, more: Partial<KeepPorts> = {}): Kept => new Kept(store, ports(more));

export const keptOfData = (data: Data): Kept => data.part(createKept);

/** The gateway's files, by address: what each holds, or the status that it answers. Answers with what was asked. */
export function serveFiles(files: Readonly<Record<string, ArrayBuffer | number>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET", signal }: RequestInit = {}) => {
    asked.push(`${method} ${url}`);
    const found = files[url] ?? 404;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (typeof found === "number") return Promise.resolve(new Response(null, { status: found }));
    const headers = { "Content-Length": String(found.byteLength), "Content-Type": "audio/mpeg", ETag: '"1"' };
    return Promise.resolve(new Response(method === "HEAD" ? null : found, { headers }));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return asked;
}
