import { Code, ConnectError } from "@connectrpc/connect";
import type { Member } from "@/lib/boot";
import { createStore } from "@/lib/store";
import { describe, download, FileFailure } from "./files";
import type { Keepable, Keeper, KeptFile, KeptItem, KeptPlace } from "./records";
import { addressesOf, bytesOf, isOver } from "./records";
import { DeviceFull, KeptStore } from "./store";
import { keepApp } from "./worker";

/** Why a recording could not be kept. */
export type KeepTrouble = "full" | "line" | "gone" | "changed" | "unable";

/** All tabs of this browser say here that something was kept or removed. */
const CHANNEL = "serein-kept";
/** One tab keeps at a time: two that keep the same recording fetch it once. */
const LOCK = "serein-kept";

export interface OnDevice {
  items: readonly KeptItem[];
  /** Whose they are. */
  keeper: Keeper;
}

/** What keeping needs beside the store; tests give their own. */
export interface KeepPorts {
  /** Keeps the app itself (data/kept/worker.ts). */
  keepApp: () => Promise<void>;
  /** Bytes that this site may still write; undefined where the browser does not say. */
  room: () => Promise<number | undefined>;
  /** Asks the browser not to clear this site's storage when the device runs short. */
  persist: () => Promise<unknown>;
}

const browserPorts: KeepPorts = {
  keepApp,
  room: async () => {
    const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
    return quota === undefined || usage === undefined ? undefined : Math.max(0, quota - usage);
  },
  persist: async () => navigator.storage?.persist?.(),
};

export function troubleOf(cause: unknown): KeepTrouble {
  if (cause instanceof DeviceFull) return "full";
  if (cause instanceof FileFailure) return cause.trouble;
  if (cause instanceof ConnectError) return cause.code === Code.NotFound ? "gone" : "line";
  if (cause instanceof TypeError) return "line";
  return "unable";
}

/** The recordings on this device, for every page that shows or changes them. */
export class Kept {
  readonly store: KeptStore;
  /** null until they were read; unreadable storage holds nothing. */
  readonly now = createStore<OnDevice | null>(null);
  readonly #ports: KeepPorts;
  readonly #channel = new BroadcastChannel(CHANNEL);

  constructor(store: KeptStore, ports: KeepPorts = browserPorts) {
    this.store = store;
    this.#ports = ports;
    this.#channel.addEventListener("message", () => void this.read());
    void this.read();
  }

  /** Bytes that this site may still write; undefined where the browser does not say. */
  get room(): KeepPorts["room"] {
    return this.#ports.room;
  }

  async read(): Promise<OnDevice> {
    const now = await Promise.all([this.store.items(), this.store.keeper()]).then(
      ([items, keeper]) => ({ items, keeper }),
      () => ({ items: [], keeper: { uid: "", open: false, seenAt: 0 } }),
    );
    this.now.set(now);
    return now;
  }

  /** What the files of a recording weigh, as the gateway says it now. Throws FileFailure. */
  describe(of: Keepable, signal: AbortSignal): Promise<KeptFile[]> {
    return Promise.all(addressesOf(of).map((url) => describe(url, signal)));
  }

  /**
   * Fetches a recording's files and keeps it with them, whole or not at all. `onBytes` hears how many bytes came at a time. Throws what `troubleOf`
   * names, or AbortError.
   */
  async keep(
    of: Keepable,
    files: readonly KeptFile[],
    member: Member,
    signal: AbortSignal,
    onBytes: (n: number) => void,
  ): Promise<void> {
    await navigator.locks.request(LOCK, { signal }, () => this.#keep(of, files, member, signal, onBytes));
    await this.#changed();
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.store.remove(ids);
    await this.#changed();
  }

  /** Removes everything, for a member who leaves this device. */
  async clear(): Promise<void> {
    await this.store.clear();
    await this.#changed();
  }

  async setKeeper(keeper: Keeper): Promise<void> {
    await this.store.setKeeper(keeper);
    await this.#changed();
  }

  async change(id: string, part: Parameters<KeptStore["change"]>[1]): Promise<void> {
    await this.store.change(id, part);
    await this.#changed();
  }

  /** Removes what may not be heard any more, and answers with it. `now` is this device's clock. */
  async removeOver(now: number): Promise<KeptItem[]> {
    const { items, keeper } = await this.read();
    const over = items.filter((item) => isOver(item, keeper, now));
    await this.remove(over.map(({ id }) => id));
    return over;
  }

  keepPlace(place: KeptPlace): Promise<void> {
    return this.store.keepPlace(place);
  }

  async #keep(
    of: Keepable,
    files: readonly KeptFile[],
    member: Member,
    signal: AbortSignal,
    onBytes: (n: number) => void,
  ): Promise<void> {
    const { items, keeper } = await this.read();
    const own = keeper.uid === member.uid;
    if (own && items.some(({ id }) => id === of.id)) return;
    if (!own) await this.store.clear();
    const here = new Set(own ? items.flatMap(({ urls }) => urls) : []);
    const missing = files.filter(({ url }) => !here.has(url));
    const room = await this.#ports.room();
    if (room !== undefined && room < bytesOf([{ files: missing }])) throw new DeviceFull();
    // Firefox asks its person, who may take their time, or never answer.
    if (items.length === 0) void this.#ports.persist().catch(() => undefined);
    await this.#ports.keepApp();
    const bodies = new Map<string, ArrayBuffer>();
    for (const file of missing) bodies.set(file.url, await download(file, signal, onBytes));
    signal.throwIfAborted();
    await this.store.setKeeper({ uid: member.uid, open: true, seenAt: own ? keeper.seenAt : 0 });
    await this.store.add({ ...of, files, urls: files.map(({ url }) => url), keptAt: Date.now() }, bodies);
  }

  async #changed(): Promise<void> {
    this.#channel.postMessage(null);
    await this.read();
  }
}

/** A part of Data: the recordings on this device. */
export const createKept = (): Kept => new Kept(new KeptStore());

/** Until when a member may hear what belongs to their plan, as known now; 0 for always. */
export function planEnd({ admin, plan }: Member): number {
  if (admin || !plan) return 0;
  return Math.max(plan.endsAt, plan.graceUntil);
}
