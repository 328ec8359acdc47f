import { useEffect, useState } from "react";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { useWordOfTab } from "@/lib/in-browser";
import { remember } from "@/lib/storage";
import { useNowPlaying } from "./hooks";
import { isOfLibrary } from "./of-library";
import type { Player } from "./player";
import { loopOf } from "./recording";

const KEY = "serein-library-sound";
export const NONE = "none";
/** The specification's. */
const FIRST = "warm";

/** The sound beneath immersive meditations: as the member chose it in this tab, else Warm, else the first there is. */
export function useLibrarySound(player: Player | null, tracks: readonly AmbientTrack[]) {
  const now = useNowPlaying(player);
  const before = useWordOfTab(KEY);
  const [choice, setChoice] = useState<string | null>(null);
  const chosen = choice ?? before ?? FIRST;
  const track = chosen === NONE ? undefined : (tracks.find(({ id }) => id === chosen) ?? tracks[0]);
  const immersive = isOfLibrary(now?.recorded) && now?.recorded?.loop !== null;
  useEffect(() => {
    // What is heard now changes with the choice.
    if (immersive && tracks.length > 0) player?.engine.setTrack(loopOf(track));
  }, [player, immersive, tracks, track]);
  const choose = (id: string) => {
    remember("sessionStorage", KEY, id);
    setChoice(id);
  };
  return { track, chosen: track?.id ?? NONE, choose };
}
