import { useSyncExternalStore } from "react";
import { onMemberChange } from "@/lib/session";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import type { Data } from "@/lib/app";
import { useData } from "./data";
import { showCredits } from "./credits";
import type { LivePorts, LiveState } from "./live-meditation";
import { LiveMeditation } from "./live-meditation";
import { journeyChanged, watchMeditation } from "./meditations";
import { createOwnChanges } from "./own-changes";

/** How many meditations are remembered; one that somebody follows is never dropped. */
const MAX_REMEMBERED = 50;

/** Live state by meditation: the same object for everybody who asks for the same id. */
export class LiveMeditations {
  readonly #ports: LivePorts;
  /** In the order they were last asked for. */
  readonly #entries = new Map<string, LiveMeditation>();

  constructor(ports: LivePorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#entries.size;
  }

  of(id: string): LiveMeditation {
    const live = this.#entries.get(id) ?? new LiveMeditation(id, this.#ports);
    this.#entries.delete(id);
    this.#entries.set(id, live);
    this.#trim(id);
    return live;
  }

  /** Takes what was done with one elsewhere, where somebody has asked for it. */
  told(meditation: Meditation): void {
    this.#entries.get(meditation.id)?.take(meditation);
  }

  clear(): void {
    this.#entries.clear();
  }

  #trim(kept: string): void {
    for (const [id, live] of this.#entries) {
      if (this.#entries.size <= MAX_REMEMBERED) return;
      if (id !== kept && !live.followed) this.#entries.delete(id);
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}

/** A part of Data. Nothing of one member stays for the next. */
export function createLiveMeditations(data: Data): LiveMeditations {
  const lives = new LiveMeditations({
    watch: (id, fromSegment, signal) => watchMeditation(data, id, fromSegment, signal),
    online: () => navigator.onLine,
    wait,
    draw: Math.random,
    timeout: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    received: (message) => showCredits(data.session, message),
    ended: () => journeyChanged(data),
  });
  data.part(createOwnChanges).subscribe((meditation) => lives.told(meditation));
  onMemberChange(data.session, () => lives.clear());
  return lives;
}

export const useLiveMeditations = (): LiveMeditations => useData().part(createLiveMeditations);

/** A meditation as the server tells it, followed while the component is there. */
export function useLive(id: string): LiveState {
  const live = useLiveMeditations().of(id);
  return useSyncExternalStore(live.subscribe, live.state);
}
