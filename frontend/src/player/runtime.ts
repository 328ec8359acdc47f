import { createClient } from "@connectrpc/connect";
import { journeyChanged as changed, watchMeditation } from "@/data/meditations";
import { pageData } from "@/data/page";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import type { Credits } from "@/gen/serein/web/v1/session_pb";
import { getSession, onSession, setCredits } from "@/lib/session";
import { browserPorts } from "./engine/browser";
import { PlayerEngine } from "./engine/engine";
import type { LivePorts } from "@/data/live-meditation";
import { LiveMeditation } from "@/data/live-meditation";
import { Player } from "./player";

/** The page's one player and the meditations it follows, on the real transport. */

export const client = createClient(GeneratorService, pageData.transport);

export function showCredits(credits: Credits | undefined): void {
  if (!credits) return;
  setCredits({ plan: Number(credits.plan), topUp: Number(credits.topUp), held: Number(credits.held) });
}

export const journeyChanged = (): void => changed(pageData);

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

const ports: LivePorts = {
  watch: (id, fromSegment, signal) => watchMeditation(pageData, id, fromSegment, signal),
  online: () => navigator.onLine,
  wait,
  timeout: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  credits: showCredits,
  ended: journeyChanged,
};

const lives = new Map<string, LiveMeditation>();

/** One meditation's live state; the same object for everybody who asks. */
export function liveOf(id: string): LiveMeditation {
  const known = lives.get(id);
  if (known) return known;
  const live = new LiveMeditation(id, ports);
  lives.set(id, live);
  return live;
}

export const player = new Player(new PlayerEngine(browserPorts()), liveOf);

/** Nothing of one member stays for the next. */
let uid = getSession().member?.uid;
onSession(() => {
  const now = getSession().member?.uid;
  if (now === uid) return;
  uid = now;
  player.close();
  lives.clear();
});
