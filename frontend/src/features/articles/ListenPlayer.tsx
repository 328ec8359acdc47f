import { useMemo } from "react";
import type { ArticleCard } from "@/gen/serein/web/v1/items_pb";
import { usePlayer } from "@/player/hooks";
import { InlinePlayer } from "@/player/inline/InlinePlayer";
import { readAloud } from "@/player/of-article";
import { pressRecorded } from "@/player/of-library";
import { useMiniPlayer } from "@/player/useMiniPlayer";

interface ListenProps {
  card: ArticleCard;
  url: string;
  narrator: string;
}

/** The player of an article's narration, in its own chunk. The mini player goes on with it when the page is left. */
export default function ListenPlayer({ card, url, narrator }: ListenProps) {
  const player = usePlayer();
  const recorded = useMemo(() => readAloud(card, url, narrator), [card, url, narrator]);
  useMiniPlayer();
  return (
    <InlinePlayer
      id={recorded.id}
      title={card.title}
      lengthMs={recorded.seconds * 1000}
      onPress={() => pressRecorded(player, recorded)}
    />
  );
}
