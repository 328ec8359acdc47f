import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "@/lib/store";
import type { Snapshot } from "./engine/types";
import type { LiveState } from "@/data/live-meditation";
import type { NowPlaying } from "./player";
import { liveOf, player } from "./runtime";

const { engine } = player;
const subscribe = (listener: () => void) => engine.subscribe(listener);

/** A part of the engine's state. `pick` answers a plain value, so that the page redraws only when it changes. */
export const usePlayer = <T extends string | number | boolean | null>(pick: (now: Snapshot) => T): T =>
  useSyncExternalStore(subscribe, () => pick(engine.snapshot()));

export const useNowPlaying = (): NowPlaying | null => useStore(player.now);

/** A meditation as the server tells it, followed while the component is there. */
export function useLive(id: string): LiveState {
  const live = liveOf(id);
  return useSyncExternalStore(live.subscribe, live.state);
}

/** While mounted, the mini player is hidden: a full-size one is on the page. */
export const useFullPlayer = (): void => useEffect(() => player.showFull(), []);
