import type { ReactNode } from "react";
import { items as copy } from "@/copy/items";
import type { ArticleCard as Card } from "@/gen/serein/web/v1/items_pb";
import { minutesOf } from "@/lib/format";
import type { Like } from "@/lib/items";
import { paths } from "@/lib/paths";
import { hasPicture } from "@/lib/picture";
import { Link } from "@/lib/router";
import { field, has, made, ofFirst, useFill, When } from "@/lib/template";
import { Art } from "./Art";
import { classes } from "./classes";
import { Icon } from "./Icon";
import { LikeIcon } from "./ItemButtons";
import css from "./ArticleCard.module.css";

interface ArticleCardProps {
  card: Card;
  as?: "h2" | "h3";
  /** A line beside a small print, instead of a card with a large one. */
  small?: boolean;
  /** The member's heart: `useLike` of data/items.ts. Without it the card shows none. */
  like?: Like;
  /** A further button beside the heart. */
  action?: ReactNode;
  className?: string | undefined;
}

/** The picture of an article: its editor's, or the print of its category. */
export function ArticlePicture({ card, className }: { card: Card; className?: string | undefined }) {
  return (
    <div className={classes(css.picture, className)}>
      <Art scene={card.categories[0]?.name ?? ""} seed={card.id} w={480} h={320} className={css.art} />
      <When {...hasPicture(card.picture)}>
        <img src={card.picture?.url} alt={card.picture?.alt} loading="lazy" />
      </When>
    </div>
  );
}

/** "Anxiety Relief", "7 min read". */
export function ArticleFacts({ card, first }: { card: Card; first?: string }) {
  const fill = useFill();
  const minutes = fill(made(minutesOf, field(card, "words")));
  return (
    <p className={css.facts}>
      <span>{first ?? fill(ofFirst(card.categories, "name"))}</span>
      <span>{copy.minutesRead(minutes)}</span>
    </p>
  );
}

/** A card of an article, which leads to it. */
export function ArticleCard({
  card,
  as: Heading = "h3",
  small = false,
  like,
  action,
  className,
}: ArticleCardProps) {
  const heart = like ? <LikeIcon like={like} title={card.title} /> : null;
  return (
    <article className={classes(css.card, small && css.small, className)}>
      <div className={css.print}>
        <ArticlePicture card={card} />
        {small ? null : (
          <When {...has(card, "audioSeconds")}>
            <span className={css.listen}>
              <Icon name="headphones" />
              {copy.listen}
            </span>
          </When>
        )}
      </div>
      <div className={css.row}>
        <div>
          {small ? <ArticleFacts card={card} first={copy.article} /> : null}
          <Heading className={css.title}>
            <Link to={paths.article(card.slug)}>{card.title}</Link>
          </Heading>
          {small ? null : <ArticleFacts card={card} />}
        </div>
        {action ? (
          <div className={css.acts}>
            {heart}
            {action}
          </div>
        ) : (
          heart
        )}
      </div>
      <p className={css.preview}>{card.preview}</p>
    </article>
  );
}
