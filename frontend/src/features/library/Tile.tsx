import { library as copy } from "@/copy/library";
import { player as playerCopy } from "@/copy/player";
import { useLike, useSave } from "@/data/items";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { usePlayer, usePlayerState } from "@/player/hooks";
import { When } from "@/lib/template";
import { LikeIcon, SaveIcon } from "@/ui/ItemButtons";
import { Plate } from "@/ui/Plate";
import { toast } from "@/ui/toast/store";
import css from "./Library.module.css";
import { playerId, recordedOf } from "./recorded";

function Acts({ m }: { m: MeditationCard }) {
  const item = { kind: ItemKind.MEDITATION, id: m.id };
  const like = useLike(item, m.standing);
  const save = useSave(item, m.standing);
  const keep = async () => {
    // It is taken out of My Journey there, not here.
    if (save.on) return toast(copy.already(m.title), "info");
    const answer = await save.press();
    if (answer) toast(answer.changed ? copy.added(m.title) : copy.already(m.title));
  };
  return (
    <>
      <LikeIcon like={like} title={m.title} />
      <SaveIcon save={save} title={m.title} onPress={() => void keep()} />
    </>
  );
}

interface TileProps {
  m: MeditationCard;
  track: AmbientTrack | undefined;
  wide: boolean;
}

/** One meditation: its press plays it, in the player that goes on while the member browses. */
export function Tile({ m, track, wide }: TileProps) {
  const player = usePlayer();
  const id = playerId(m);
  const playing = usePlayerState((now) => now.wanted && now.recording?.id === id);
  const press = () => {
    player.engine.unlock();
    if (player.id === id) player.toggle();
    else player.openRecorded(recordedOf(m, track), { play: true });
  };
  const name = playing ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title);
  const there = m.audioUrl !== "";
  const tag = m.verified ? "" : copy.isUnverified;
  return (
    <Plate
      as="h2"
      wide={wide}
      title={m.title}
      picture={
        <When is={Boolean(m.picture?.url)} test="and .Picture .Picture.Url">
          <img src={m.picture?.url} alt={m.picture?.alt} loading="lazy" className={there ? undefined : css.pale} />
        </When>
      }
      scene={m.category?.name ?? ""}
      seed={m.id}
      press={there ? { name, run: press } : undefined}
      playing={playing}
      {...(there ? { length: copy.minutes(m.audioSeconds) } : {})}
      {...(there && !tag ? {} : { tag: tag || copy.beingNarrated })}
      artClass={there ? undefined : css.pale}
      facts={[m.category?.name, m.narratorName]}
      actions={<Acts m={m} />}
    />
  );
}
