import { useEffect, useSyncExternalStore } from "react";
import { useData } from "@/data/data";
import type { Snapshot } from "./engine/types";
import type { Player } from "./player";
import { createPlayer } from "./player";

/** The page's one player. */
export const usePlayer = (): Player => useData().part(createPlayer);

/** A part of the engine's state. `pick` answers a plain value, so that the page redraws only when it changes. */
export function usePlayerState<T extends string | number | boolean | null>(pick: (now: Snapshot) => T): T {
  const { engine } = usePlayer();
  return useSyncExternalStore(engine.subscribe, () => pick(engine.snapshot()));
}

/**
 * For a page that shows a meditation with controls of its own: puts it into the player, and hides the mini player.
 * One that is being heard stays, unless `replace` is set. Left without a press on play, the page leaves nothing behind.
 * Answers whether the player holds the page's meditation.
 */
export function useShown(id: string, { replace = false } = {}): boolean {
  const player = usePlayer();
  useEffect(() => {
    if (replace) player.open(id);
    else player.show(id);
    return () => player.leave(id);
  }, [player, id, replace]);
  const held = usePlayerState((now) => (now.recording ? now.recording.id === id : player.id === id));
  useEffect(() => (held ? player.showFull() : undefined), [player, held]);
  return held;
}
