import { sceneOf } from "@/art/meditation-scene";
import { memberHome as copy } from "@/copy/member-home";
import type { AmbientTrack, Meditation } from "@/gen/serein/web/v1/generator_pb";
import type { ArticleCard, MeditationCard } from "@/gen/serein/web/v1/items_pb";
import type { Place } from "@/gen/serein/web/v1/player_pb";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { usePlayer } from "@/player/hooks";
import { playerId, pressRecorded, recordedOf } from "@/player/of-library";
import { useLibrarySound } from "@/player/useLibrarySound";
import { Part, PlayedPart } from "./Part";

/** Whole minutes that are left, at least 1. */
export const minutesLeft = ({ positionMs, durationMs }: Pick<Place, "positionMs" | "durationMs">): number =>
  listeningOf(Number(durationMs - positionMs) / 1000);

interface OfProps<T> {
  of: T;
  fact: string;
}

/** An article plays on its own page. */
function OfArticle({ of: card, fact }: OfProps<ArticleCard>) {
  return (
    <Part label={copy.carryOn} fact={fact} scene={card.categories[0]?.name ?? ""} seed={card.id} icon="arrow">
      <Link to={paths.article(card.slug)}>{card.title}</Link>
    </Part>
  );
}

function OfBespoke({ of: m, fact }: OfProps<Meditation>) {
  const player = usePlayer();
  const press = () => {
    player.engine.unlock();
    if (player.id === m.id) player.toggle();
    else player.open(m.id, { play: true });
  };
  return (
    <PlayedPart
      label={copy.carryOn}
      title={m.title}
      fact={fact}
      scene={sceneOf(m.typeId)}
      seed={m.title}
      id={m.id}
      press={press}
    />
  );
}

function OfLibrary({ of: m, fact, tracks }: OfProps<MeditationCard> & { tracks: readonly AmbientTrack[] }) {
  const player = usePlayer();
  const { track } = useLibrarySound(player, tracks);
  return (
    <PlayedPart
      label={copy.carryOn}
      title={m.title}
      fact={fact}
      scene={m.category?.name ?? ""}
      seed={m.id}
      id={playerId(m)}
      press={() => pressRecorded(player, recordedOf(m, track))}
    />
  );
}

/** What the member played last and has not played to its end, with what is left of it. */
export function CarryOn({ place, tracks }: { place: Place; tracks: readonly AmbientTrack[] }) {
  const { card } = place;
  const fact = copy.left(minutesLeft(place));
  if (card.case === "article") return <OfArticle of={card.value} fact={fact} />;
  if (card.case === "bespoke") return <OfBespoke of={card.value} fact={fact} />;
  if (card.case === "meditation") return <OfLibrary of={card.value} fact={fact} tracks={tracks} />;
  return null;
}
