import type { ByteRange } from "./ranges";
import type { Keeper, KeptItem, KeptPlace } from "./records";

/** Sound lies in pieces, so that an answer with a range reads what it needs and no more; bytes. */
const PIECE = 1 << 20;

/** The device has no room for it; nothing of it is kept. */
export class DeviceFull extends Error {
  override name = "DeviceFull";
}

const NOBODY: Keeper = { uid: "", open: false, seenAt: 0 };

const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error("the device's storage failed")),
    );
  });

const isFull = (cause: unknown): boolean => cause instanceof Error && cause.name === "QuotaExceededError";

/** Resolves once a transaction is on the disk; rejects where nothing of it is. */
const written = (of: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    of.addEventListener("complete", () => resolve());
    of.addEventListener("abort", () =>
      reject(isFull(of.error) ? new DeviceFull() : (of.error ?? new Error("the device's storage failed"))),
    );
  });

/** The pieces of one file. */
const allOf = (url: string) => IDBKeyRange.bound([url, 0], [url, Infinity]);

const TABLES = ["items", "pieces", "places", "keeper"];

function makeTables(database: IDBDatabase): void {
  database.createObjectStore("items", { keyPath: "id" }).createIndex("urls", "urls", { multiEntry: true });
  database.createObjectStore("pieces");
  database.createObjectStore("places", { keyPath: "id" });
  database.createObjectStore("keeper");
}

/**
 * Recordings on this device: what they are, their bytes, where they were left, and whose they are. Page and service worker share it. A recording
 * is written in one transaction with all of its files, so it is kept whole or not at all. The app's own files lie elsewhere (the worker's
 * caches), and no update of the app touches these.
 */
export class KeptStore {
  readonly #name: string;
  #opened: Promise<IDBDatabase> | null = null;

  constructor(name = "serein-kept") {
    this.#name = name;
  }

  async items(): Promise<KeptItem[]> {
    const found = await this.#read<KeptItem[]>("items", (table) => table.getAll());
    return found.toSorted((a, b) => b.keptAt - a.keptAt);
  }

  item(id: string): Promise<KeptItem | undefined> {
    return this.#read("items", (table) => table.get(id));
  }

  /** The recordings that have a file of that address. */
  itemsWith(url: string): Promise<KeptItem[]> {
    return this.#read("items", (table) => table.index("urls").getAll(url));
  }

  /** Writes a recording with the bytes of its files, by address; what another recording has of them may be left out. */
  async add(item: KeptItem, bodies: ReadonlyMap<string, ArrayBuffer>): Promise<void> {
    const writing = await this.#writing("items", "pieces");
    const done = written(writing);
    const pieces = writing.objectStore("pieces");
    try {
      for (const { url } of item.files.filter((file) => !bodies.has(file.url)))
        if ((await answered(pieces.count(allOf(url)))) === 0) throw new Error(`${url} is not here`);
      for (const [url, body] of bodies)
        for (let at = 0; at * PIECE < body.byteLength; at++)
          pieces.put(body.slice(at * PIECE, (at + 1) * PIECE), [url, at]);
      writing.objectStore("items").put(item);
    } catch (cause) {
      done.catch(() => undefined);
      writing.abort();
      throw isFull(cause) ? new DeviceFull() : cause;
    }
    await done;
  }

  /** Changes what is known of a recording that is still here; its files stay. */
  async change(id: string, part: Partial<Pick<KeptItem, "title" | "until">>): Promise<void> {
    const writing = await this.#writing("items");
    const done = written(writing);
    const table = writing.objectStore("items");
    const item: KeptItem | undefined = await answered(table.get(id));
    if (item) table.put({ ...item, ...part });
    await done;
  }

  /** Removes recordings, and of their files those that no other recording has. */
  async remove(ids: readonly string[]): Promise<void> {
    const writing = await this.#writing("items", "pieces", "places");
    const done = written(writing);
    const all: KeptItem[] = await answered(writing.objectStore("items").getAll());
    const gone = all.filter((item) => ids.includes(item.id));
    const needed = new Set(all.filter((item) => !ids.includes(item.id)).flatMap((item) => item.urls));
    for (const { id, urls } of gone) {
      writing.objectStore("items").delete(id);
      writing.objectStore("places").delete(id);
      for (const url of urls) if (!needed.has(url)) writing.objectStore("pieces").delete(allOf(url));
    }
    await done;
  }

  /** Removes everything, and whose it was. */
  async clear(): Promise<void> {
    const writing = await this.#writing(...TABLES);
    const done = written(writing);
    for (const table of TABLES) writing.objectStore(table).clear();
    await done;
  }

  /** Bytes of a file; fewer than were asked for where the browser has lost some. */
  async bytes(url: string, { first, last }: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    const from = Math.floor(first / PIECE);
    const range = IDBKeyRange.bound([url, from], [url, Math.floor(last / PIECE)]);
    const pieces = await this.#read<ArrayBuffer[]>("pieces", (table) => table.getAll(range));
    const body = new Uint8Array(pieces.reduce((all, piece) => all + piece.byteLength, 0));
    let at = 0;
    for (const piece of pieces) {
      body.set(new Uint8Array(piece), at);
      at += piece.byteLength;
    }
    return body.slice(first - from * PIECE, last - from * PIECE + 1);
  }

  places(): Promise<KeptPlace[]> {
    return this.#read("places", (table) => table.getAll());
  }

  place(id: string): Promise<KeptPlace | undefined> {
    return this.#read("places", (table) => table.get(id));
  }

  async keepPlace(place: KeptPlace): Promise<void> {
    await this.#put("places", place);
  }

  async keeper(): Promise<Keeper> {
    return (await this.#read<Keeper | undefined>("keeper", (table) => table.get(""))) ?? NOBODY;
  }

  async setKeeper(keeper: Keeper): Promise<void> {
    await this.#put("keeper", keeper, "");
  }

  /** Ends the connection; the next call opens another. */
  close(): void {
    void this.#opened?.then((database) => database.close());
    this.#opened = null;
  }

  async #read<T>(table: string, ask: (table: IDBObjectStore) => IDBRequest): Promise<T> {
    const database = await this.#open();
    return answered(ask(database.transaction(table).objectStore(table)));
  }

  async #put(table: string, value: unknown, key?: IDBValidKey): Promise<void> {
    const writing = await this.#writing(table);
    const done = written(writing);
    writing.objectStore(table).put(value, key);
    await done;
  }

  async #writing(...tables: string[]): Promise<IDBTransaction> {
    const database = await this.#open();
    return database.transaction(tables, "readwrite", { durability: "strict" });
  }

  #open(): Promise<IDBDatabase> {
    if (this.#opened) return this.#opened;
    const request = indexedDB.open(this.#name, 1);
    request.addEventListener("upgradeneeded", () => makeTables(request.result));
    const opened = answered(request).then((database) => {
      // Another version of the app, or the browser, wants it: the next call opens it again.
      const lost = () => void (this.#opened = null);
      database.addEventListener("versionchange", () => this.close());
      database.addEventListener("close", lost);
      return database;
    });
    opened.catch(() => void (this.#opened = null));
    this.#opened = opened;
    return opened;
  }
}
