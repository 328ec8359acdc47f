/** One file of the app that is needed without a connection. */
export interface ShellFile {
  /** Its address on this site, from the slash on. */
  url: string;
  /** The hash of its bytes, as the build made it (Subresource Integrity). */
  integrity: string;
}

/** Caches of the app's own files begin so. What members keep lies in IndexedDB, which no update touches. */
const PREFIX = "serein-shell-";

/** The document that opens the app without the gateway. */
export const DOCUMENT = "/offline.html";

/**
 * The app's own files of one build. Each build has a separate cache: while the files of a newer one are fetched, and until the last page
 * of the older one is closed, the older cache answers.
 */
export class Shell {
  readonly #caches: CacheStorage;
  readonly #name: string;
  readonly #files: readonly ShellFile[];
  readonly #urls: ReadonlySet<string>;

  constructor(caches: CacheStorage, version: string, files: readonly ShellFile[]) {
    this.#caches = caches;
    this.#name = PREFIX + version;
    this.#files = files;
    this.#urls = new Set(files.map(({ url }) => url));
  }

  has(path: string): boolean {
    return this.#urls.has(path);
  }

  /** Fetches every file, each with the hash that the build knows; rejects, and leaves nothing, where one of them cannot be had so. */
  async install(): Promise<void> {
    const cache = await this.#caches.open(this.#name);
    try {
      await Promise.all(this.#files.map((file) => this.#fetch(cache, file)));
    } catch (cause) {
      await this.#caches.delete(this.#name);
      throw cause;
    }
  }

  /** Removes the files of older builds. */
  async dropOlder(): Promise<void> {
    const names = await this.#caches.keys();
    const older = names.filter((name) => name.startsWith(PREFIX) && name !== this.#name);
    await Promise.all(older.map((name) => this.#caches.delete(name)));
  }

  async file(path: string): Promise<Response | undefined> {
    const cache = await this.#caches.open(this.#name);
    return cache.match(path);
  }

  async #fetch(cache: Cache, { url, integrity }: ShellFile): Promise<void> {
    const answer = await fetch(url, { integrity, cache: "no-cache", credentials: "same-origin" });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    await cache.put(url, answer);
  }
}
