import type { ReactNode } from "react";
import { library as copy } from "@/copy/library";
import { player as playerCopy } from "@/copy/player";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { listeningOf } from "@/lib/format";
import { useFill, When } from "@/lib/template";
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
  const there = m.audioUrl !== "";
  const pale = fill(`if not .AudioUrl}}${css.pale}{{end`, there ? "" : String(css.pale));
  const tag = fill(
    `if .Verified}}${copy.beingNarrated}{{else}}${copy.isUnverified}{{end`,
    m.verified ? copy.beingNarrated : copy.isUnverified,
  );
  return (
    <Card
      as={as}
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
      length={
        over ? null : copy.minutes(fill("listening .AudioSeconds", String(listeningOf(m.audioSeconds))))
      }
      over={
        <>
          <When is={!there || !m.verified} test="not (and .AudioUrl .Verified)">
            <CardTag>{tag}</CardTag>
          </When>
          {over}
        </>
      }
      artClass={pale}
      facts={[fill("with .Category}}{{.Name}}{{end", m.category?.name ?? ""), m.narratorName]}
      actions={actions}
      className={className}
    />
  );
}
