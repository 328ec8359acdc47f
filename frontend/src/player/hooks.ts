import { useEffect, useSyncExternalStore } from "react";
import { useData } from "@/data/data";
import { useInBrowser } from "@/lib/in-browser";
import type { Snapshot } from "./engine/types";
import type { NowPlaying, Player } from "./player";
import { createPlayer } from "./player";

/** The page's one player. */
export const usePlayer = (): Player => useData().part(createPlayer);

/** A part of the engine's state. `pick` answers a plain value, so that the page redraws only when it changes. */
export function usePlayerState<T extends string | number | boolean | null>(pick: (now: Snapshot) => T): T {
  const { engine } = usePlayer();
  return useSyncExternalStore(engine.subscribe, () => pick(engine.snapshot()));
}

const never = () => () => undefined;

/** The same for a written page: null while its markup is taken over, when nothing can be heard yet. */
export function useLaterPlayer(): Player | null {
  const data = useData();
  return useInBrowser() ? data.part(createPlayer) : null;
}

/** What is in the player, there. */
export function useNowPlaying(player: Player | null): NowPlaying | null {
  return useSyncExternalStore(
    player?.now.subscribe ?? never,
    () => player?.now.get() ?? null,
    () => null,
  );
}

/** The id of what is recorded as a whole and in the player, there. */
export const useHeldRecorded = (player: Player | null): string | null =>
  useNowPlaying(player)?.recorded?.id ?? null;

/** The id of what is heard now, there; null while nothing is. */
export function useHeard(player: Player | null): string | null {
  const engine = player?.engine;
  return useSyncExternalStore(
    engine?.subscribe ?? never,
    () => {
      const now = engine?.snapshot();
      return now?.wanted ? (now.recording?.id ?? null) : null;
    },
    () => null,
  );
}

/** Puts a meditation into the player while its page is open; the page's controls say when the mini player is not needed. */
export function usePut(id: string, { replace = false } = {}): void {
  const player = usePlayer();
  useEffect(() => {
    if (replace) player.open(id);
    else player.show(id);
    return () => player.leave(id);
  }, [player, id, replace]);
}

/**
 * For a page that shows a meditation with controls: puts it into the player. One that is being heard stays, unless `replace`
 * is set. Left without a press on play, the page leaves nothing behind. Answers whether the player holds the page's meditation.
 */
export function useShown(id: string, { replace = false } = {}): boolean {
  const player = usePlayer();
  usePut(id, { replace });
  return usePlayerState((now) => (now.recording ? now.recording.id === id : player.id === id));
}
