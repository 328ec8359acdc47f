import type { Ports } from "./types";

/** The playing passage and the next; anything older is given back. */
const KEEP = 3;

/*
 * Passages fetched ahead, so that the next one starts from memory and the join stays short.
 * A passage that could not be fetched is simply played from its address.
 */
export class Shelf {
  readonly #ports: Ports;
  #stored = new Map<string, string>();
  #fetching = new Map<string, AbortController>();
  #usable = true;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The best address for a passage now. */
  take(url: string): string {
    return this.#stored.get(url) ?? url;
  }

  fetchAhead(url: string): void {
    if (!this.#usable || this.#stored.has(url) || this.#fetching.has(url)) return;
    const abort = new AbortController();
    this.#fetching.set(url, abort);
    void this.#fetch(url, abort.signal);
  }

  /** Stored pieces cannot be played here (a content policy may refuse them): use addresses only from now on. */
  refuse(): void {
    this.#usable = false;
    this.clear();
  }

  clear(): void {
    for (const abort of this.#fetching.values()) abort.abort();
    for (const stored of this.#stored.values()) this.#ports.revokeObjectURL(stored);
    this.#fetching.clear();
    this.#stored.clear();
  }

  async #fetch(url: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#ports.fetch(url, signal);
      if (!answer.ok) return;
      const blob = await answer.blob();
      if (!signal.aborted) this.#store(url, this.#ports.createObjectURL(blob));
    } catch {
      // Nothing is lost: the passage is then played from its address.
    } finally {
      if (!signal.aborted) this.#fetching.delete(url);
    }
  }

  #store(url: string, stored: string): void {
    this.#stored.set(url, stored);
    const oldest = this.#stored.keys().next();
    if (this.#stored.size <= KEEP || oldest.done) return;
    this.#ports.revokeObjectURL(this.#stored.get(oldest.value) as string);
    this.#stored.delete(oldest.value);
  }
}
