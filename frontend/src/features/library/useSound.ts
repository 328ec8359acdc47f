import { useEffect, useState } from "react";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import { remember, remembered } from "@/lib/storage";
import { useStore } from "@/lib/store";
import { usePlayer } from "@/player/hooks";
import { loopOf } from "@/player/recording";
import { isOfLibrary } from "./recorded";

const KEY = "serein-library-sound";
export const NONE = "none";
/** The specification's. */
const FIRST = "warm";

/** The sound beneath immersive meditations: as the member chose it in this tab, else Warm, else the first there is. */
export function useSound(tracks: readonly AmbientTrack[]) {
  const player = usePlayer();
  const now = useStore(player.now);
  const [chosen, setChosen] = useState(() => remembered("sessionStorage", KEY) ?? FIRST);
  const track = chosen === NONE ? undefined : (tracks.find(({ id }) => id === chosen) ?? tracks[0]);
  const immersive = isOfLibrary(now?.recorded) && now?.recorded?.loop !== null;
  useEffect(() => {
    // What is heard now changes with the choice.
    if (immersive && tracks.length > 0) player.engine.setTrack(loopOf(track));
  }, [player, immersive, tracks, track]);
  const choose = (id: string) => {
    remember("sessionStorage", KEY, id);
    setChosen(id);
  };
  return { track, chosen: track?.id ?? NONE, choose };
}
