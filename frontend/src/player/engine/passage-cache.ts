import type { Ports } from "./types";

/** How many passages are held: the playing one, the next, and one for a step back. */
const MAX_ENTRIES = 3;

/*
 * Prefetched passages as object URLs, so that the next one starts from memory without a gap.
 * A passage that could not be fetched is played from its own URL.
 */
export class PassageCache {
  readonly #ports: Ports;
  #entries = new Map<string, string>();
  #pending = new Map<string, AbortController>();
  #enabled = true;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The object URL of a prefetched passage, else its own URL. */
  sourceFor(url: string): string {
    return this.#entries.get(url) ?? url;
  }

  prefetch(url: string): void {
    if (!this.#enabled || this.#entries.has(url) || this.#pending.has(url)) return;
    const abort = new AbortController();
    this.#pending.set(url, abort);
    void this.#fetch(url, abort.signal);
  }

  /** For where object URLs cannot be played (a content security policy may forbid them): plain URLs from now on. */
  disable(): void {
    this.#enabled = false;
    this.clear();
  }

  clear(): void {
    for (const abort of this.#pending.values()) abort.abort();
    for (const entry of this.#entries.values()) this.#ports.revokeObjectURL(entry);
    this.#pending.clear();
    this.#entries.clear();
  }

  async #fetch(url: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#ports.fetch(url, signal);
      if (!answer.ok) return;
      const blob = await answer.blob();
      if (!signal.aborted) this.#store(url, this.#ports.createObjectURL(blob));
    } catch {
      // The passage is then played from its own URL.
    } finally {
      if (!signal.aborted) this.#pending.delete(url);
    }
  }

  #store(url: string, objectUrl: string): void {
    this.#entries.set(url, objectUrl);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size <= MAX_ENTRIES || oldest.done) return;
    this.#ports.revokeObjectURL(this.#entries.get(oldest.value) ?? "");
    this.#entries.delete(oldest.value);
  }
}
