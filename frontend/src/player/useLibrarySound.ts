import { useState, useSyncExternalStore } from "react";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { useWordOfTab } from "@/lib/in-browser";
import { useNowPlaying } from "./hooks";
import { hasLibrarySound } from "./of-library";
import type { Player } from "./player";
import { keepLibrarySound, LIBRARY_SOUND_KEY, NONE } from "./library-sound";
import { loopOf } from "./recording";

/** The specification's. */
const FIRST = "warm";

const never = () => () => undefined;

/** The id of the sound beneath what is in the player; "none" for the voice alone. */
const useSounding = (player: Player | null): string =>
  useSyncExternalStore(
    player?.engine.subscribe ?? never,
    () => player?.engine.snapshot().loop?.id ?? NONE,
    () => NONE,
  );

/**
 * The sound beneath immersive meditations: what one in the player has, else as it was chosen for the library in this tab, else as the
 * member chose it last on this device, else Warm, else the first there is. A recording that had another chosen for it keeps that.
 */
export function useLibrarySound(player: Player | null, tracks: readonly AmbientTrack[]) {
  const immersive = hasLibrarySound(useNowPlaying(player)?.recorded);
  const sounding = useSounding(player);
  const before = useWordOfTab(LIBRARY_SOUND_KEY);
  const [choice, setChoice] = useState<string | null>(null);
  const chosen = immersive ? sounding : (choice ?? before ?? (player?.librarySound || FIRST));
  const track = chosen === NONE ? undefined : (tracks.find(({ id }) => id === chosen) ?? tracks[0]);
  const choose = (id: string) => {
    keepLibrarySound(id);
    player?.keepLibrarySound(id);
    setChoice(id);
    if (immersive) player?.chooseTrack(loopOf(tracks.find((one) => one.id === id)));
  };
  return { track, chosen: track?.id ?? NONE, choose };
}
