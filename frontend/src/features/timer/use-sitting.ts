import { useEffect, useState, useSyncExternalStore } from "react";
import { timer as copy } from "@/copy/timer";
import { useData } from "@/data/data";
import type { Data } from "@/lib/app";
import { useInBrowser } from "@/lib/in-browser";
import { onMemberChange } from "@/lib/session";
import { createPlayer } from "@/player/player";
import { createSampleEngine } from "@/player/sample/sample";
import { keepSitting, keptSitting } from "./kept";
import type { Others, SittingPorts, SittingSnapshot } from "./sitting";
import { Sitting } from "./sitting";

/** The player and the samples. Both are quiet while a sitting sounds. */
function othersOf(data: Data): Others {
  const player = data.part(createPlayer).engine;
  const engines = [player, data.part(createSampleEngine)];
  const wanted = () => engines.some((engine) => engine.snapshot().wanted);
  return {
    pause: () => {
      for (const engine of engines) if (engine.snapshot().wanted) engine.pause();
    },
    onChange: (run) => {
      for (const engine of engines) engine.subscribe(() => run(wanted()));
    },
    giveBack: () => player.takeLockScreen(),
  };
}

const browserPorts = (): Omit<SittingPorts, "others"> => ({
  createAudio: () => new Audio(),
  createObjectURL: (blob) => URL.createObjectURL(blob),
  revokeObjectURL: (url) => URL.revokeObjectURL(url),
  now: () => Date.now(),
  setTimeout: (run, ms) => window.setTimeout(run, ms),
  clearTimeout: (id) => window.clearTimeout(id),
  onReturn: (run) =>
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") run();
    }),
  mediaSession: navigator.mediaSession,
  kept: keptSitting,
  keep: keepSitting,
  titleOf: ({ of }) => copy.kinds[of.kind],
});

/** A part of Data: the page's one sitting, which goes on while its member browses. It ends when another member comes, or none. */
export function createSitting(data: Data): Sitting {
  const sitting = new Sitting({ ...browserPorts(), others: othersOf(data) });
  onMemberChange(data.session, sitting.stop);
  return sitting;
}

const never = () => () => undefined;
const NONE: SittingSnapshot = { state: "none", plan: null, silent: false, muted: false };

/** The sitting, and what it is doing; null in the build's markup. A sitting that a reload has interrupted goes on. */
export function useSitting(): { sitting: Sitting | null; now: SittingSnapshot } {
  const data = useData();
  const sitting = useInBrowser() ? data.part(createSitting) : null;
  useEffect(() => sitting?.restore(), [sitting]);
  const now = useSyncExternalStore(
    sitting?.subscribe ?? never,
    () => sitting?.snapshot() ?? NONE,
    () => NONE,
  );
  return { sitting, now };
}

/** What `pick` makes of the place, looked at in each frame: the page is drawn again when it changes. A hidden tab has no frames, and asks for none. */
export function useAt<T extends string | number | boolean>(
  sitting: Sitting,
  pick: (positionMs: number) => T,
): T {
  const [value, set] = useState(() => pick(sitting.position()));
  useEffect(() => {
    let frame = 0;
    const look = () => {
      set(pick(sitting.position()));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [sitting, pick]);
  return value;
}

/** Keeps the screen on while `on`, where the browser can: it lets go of it whenever the page is hidden. */
export function useScreenOn(on: boolean): void {
  useEffect(() => {
    if (!on || !("wakeLock" in navigator)) return undefined;
    let held: WakeLockSentinel | undefined;
    let over = false;
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      // A phone that saves its battery refuses.
      const got = await navigator.wakeLock.request("screen").catch(() => undefined);
      if (over) return void got?.release();
      held = got;
    };
    const onVisible = () => void ask();
    void ask();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", onVisible);
      void held?.release();
    };
  }, [on]);
}
