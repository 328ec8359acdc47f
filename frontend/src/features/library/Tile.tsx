import { library as copy } from "@/copy/library";
import { player as playerCopy } from "@/copy/player";
import { useLike, useSave } from "@/data/items";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { listeningOf } from "@/lib/format";
import { useFill, When } from "@/lib/template";
import { LikeIcon, SaveIcon } from "@/ui/ItemButtons";
import { Plate, PlateTag } from "@/ui/Plate";
import { toast } from "@/ui/toast/store";
import css from "./Library.module.css";

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

/** The place of both, until it is known what this member likes and keeps. */
const Awaited = (
  <>
    <span className={css.awaited} />
    <span className={css.awaited} />
  </>
);

interface TileProps {
  m: MeditationCard;
  wide: boolean;
  /** Its standing is this member's. */
  own: boolean;
  /** It is heard now. */
  playing: boolean;
  onPress: () => void;
}

/** One meditation: its press plays it, in the player that goes on while the member browses. */
export function Tile({ m, wide, own, playing, onPress }: TileProps) {
  const fill = useFill();
  const name = playing ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title);
  const there = m.audioUrl !== "";
  const pale = fill(`if not .AudioUrl}}${css.pale}{{end`, there ? "" : String(css.pale));
  const tag = fill(
    `if .Verified}}${copy.beingNarrated}{{else}}${copy.isUnverified}{{end`,
    m.verified ? copy.beingNarrated : copy.isUnverified,
  );
  return (
    <Plate
      as="h2"
      wide={wide}
      title={m.title}
      picture={
        <When is={Boolean(m.picture?.url)} test="and .Picture .Picture.Url">
          <img src={m.picture?.url} alt={m.picture?.alt} loading="lazy" className={pale} />
        </When>
      }
      scene={m.category?.name ?? ""}
      seed={m.id}
      press={{ name, run: onPress }}
      heard={{ is: there, test: ".AudioUrl" }}
      playing={playing}
      length={copy.minutes(fill("listening .AudioSeconds", String(listeningOf(m.audioSeconds))))}
      over={
        <When is={!there || !m.verified} test="not (and .AudioUrl .Verified)">
          <PlateTag>{tag}</PlateTag>
        </When>
      }
      artClass={pale}
      facts={[fill("with .Category}}{{.Name}}{{end", m.category?.name ?? ""), m.narratorName]}
      actions={own ? <Acts m={m} /> : Awaited}
    />
  );
}
