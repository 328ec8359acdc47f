import type { ArticleCard } from "@/gen/serein/web/v1/items_pb";
import { paths } from "@/lib/paths";
import type { Recorded } from "./recording";

const PREFIX = "article/";

/** Whether a name in the player is an article's. */
export const isArticle = (id: string): boolean => id.startsWith(PREFIX);

/** An article read aloud, as the player takes it. */
export const readAloud = (card: ArticleCard, url: string, narrator: string): Recorded => ({
  id: PREFIX + card.id,
  title: card.title,
  narrator,
  url,
  seconds: card.audioSeconds,
  scene: card.categories[0]?.name ?? "",
  seed: card.id,
  to: paths.article(card.slug),
  loop: null,
  immersive: false,
  picture: card.picture?.url,
});
