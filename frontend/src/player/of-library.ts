import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { paths } from "@/lib/paths";
import type { Player } from "./player";
import type { Recorded } from "./recording";
import { loopOf } from "./recording";

const PREFIX = "library/";

/** Its name in the player, apart from a bespoke meditation's. */
export const playerId = (m: MeditationCard): string => PREFIX + m.id;
/** Whether it is a meditation of the library. */
export const isOfLibrary = (recorded: Recorded | undefined): boolean =>
  recorded?.id.startsWith(PREFIX) === true;

/** Whether the sound beneath is the one that is chosen for the library, unless another was chosen for it. */
export const hasLibrarySound = (recorded: Recorded | undefined): boolean => recorded?.immersive === true;

/** A meditation of the library as the player takes it, with the sound beneath where it is immersive. */
export const recordedOf = (m: MeditationCard, track: AmbientTrack | undefined): Recorded => ({
  id: playerId(m),
  title: m.title,
  narrator: m.narratorName,
  url: m.audioUrl,
  seconds: m.audioSeconds,
  scene: m.category?.name ?? "",
  seed: m.id,
  to: paths.inLibrary(m.title, m.immersive),
  loop: m.immersive ? loopOf(track) : null,
  immersive: m.immersive,
  picture: m.picture?.url,
});

/** A press on it plays it, or pauses and goes on where it is in the player already. */
export function pressRecorded(player: Player | null, recorded: Recorded): void {
  if (!player) return;
  player.engine.unlock();
  if (player.id === recorded.id) player.toggle();
  else player.openRecorded(recorded, { play: true });
}
