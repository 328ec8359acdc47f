import type { ReactNode } from "react";
import { library as copy } from "@/copy/library";
import { player as playerCopy } from "@/copy/player";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { listeningOf } from "@/lib/format";
import { hasPicture } from "@/lib/picture";
import { and, field, has, made, not, useFill, When } from "@/lib/template";
import { either, within } from "@/lib/template-choice";
import css from "./MeditationTile.module.css";
import { Card, CardTag } from "./Card";

interface MeditationTileProps {
  m: MeditationCard;
  as?: "h2" | "h3";
  wide?: boolean;
  /** It is heard now. */
  playing: boolean;
  onPress: () => void;
  /** Drawn over the picture in place of its length: the controls of what is in the player. */
  over?: ReactNode;
  /** Buttons right of the title. */
  actions: ReactNode;
  className?: string | undefined;
}

/** A meditation of the library: its press plays it, in the player that goes on while the member browses. */
export function MeditationTile({
  m,
  as = "h2",
  wide = false,
  playing,
  onPress,
  over,
  actions,
  className,
}: MeditationTileProps) {
  const fill = useFill();
  const name = playing ? playerCopy.pauseTitle(m.title) : playerCopy.playTitle(m.title);
  const sound = has(m, "audioUrl");
  const verified = has(m, "verified");
  const pale = fill(either(not(sound), String(css.pale), ""));
  return (
    <Card
      as={as}
      wide={wide}
      title={m.title}
      picture={
        <When {...hasPicture(m.picture)}>
          <img src={m.picture?.url} alt={m.picture?.alt} loading="lazy" className={pale} />
        </When>
      }
      scene={m.category?.name ?? ""}
      seed={m.id}
      press={{ name, run: onPress }}
      heard={sound}
      playing={playing}
      length={over ? null : copy.minutes(fill(made(listeningOf, field(m, "audioSeconds"))))}
      over={
        <>
          <When {...not(and(sound, verified))}>
            <CardTag>{fill(either(verified, copy.beingNarrated, copy.isUnverified))}</CardTag>
          </When>
          {over}
        </>
      }
      artClass={pale}
      facts={[fill(within(m.category, "name")), m.narratorName]}
      actions={actions}
      className={className}
    />
  );
}
