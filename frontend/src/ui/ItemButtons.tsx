import type { MouseEvent } from "react";
import { items as copy } from "@/copy/items";
import { formatNumber } from "@/lib/format";
import type { Like, Save } from "@/lib/items";
import { useMember } from "@/lib/session";
import { Button, IconButton } from "./Button";
import { classes } from "./classes";
import { Icon } from "./Icon";
import css from "./ItemButtons.module.css";

/** Hearts and bookmarks, for members alone: `useLike` and `useSave` of data/items.ts say what they do. */

interface LikeProps {
  like: Like;
  title: string;
}

/** A heart on a card. */
export function LikeIcon({ like, title }: LikeProps) {
  if (!useMember()) return null;
  return (
    <IconButton
      icon="heart"
      label={copy.likeOf(title, like.likes)}
      pressed={like.on}
      aria-busy={like.pending || undefined}
      onClick={() => void like.press()}
    />
  );
}

/** "Like 48" on the item's own page, and "Like" while nobody has; a screen reader hears a pause between. */
export function LikeButton({ like }: Pick<LikeProps, "like">) {
  if (!useMember()) return null;
  return (
    <Button
      look="quiet"
      className={classes(css.toggle, like.on && css.liked)}
      aria-pressed={like.on}
      aria-busy={like.pending || undefined}
      onClick={() => void like.press()}
    >
      <Icon name="heart" />
      {copy.like}
      {like.likes > 0 ? (
        <>
          <span className="sr">,</span> <span className="tnum">{formatNumber(like.likes)}</span>
        </>
      ) : null}
    </Button>
  );
}

interface SaveProps {
  save: Save;
  title: string;
  /** Instead of `save.press`, where a screen has more to say about it. */
  onPress?: ((event: MouseEvent) => void) | undefined;
}

/** A bookmark on a card. */
export function SaveIcon({ save, title, onPress }: SaveProps) {
  if (!useMember()) return null;
  return (
    <IconButton
      icon="save"
      label={copy.saveOf(title)}
      pressed={save.on}
      aria-busy={save.pending || undefined}
      onClick={onPress ?? (() => void save.press())}
    />
  );
}

/** "Save to My Journey" on the item's own page; "Saved to My Journey" once it is. */
export function SaveButton({ save, onPress }: Omit<SaveProps, "title">) {
  if (!useMember()) return null;
  return (
    <Button
      look="tint"
      className={classes(css.toggle, save.on && css.saved)}
      aria-busy={save.pending || undefined}
      onClick={onPress ?? (() => void save.press())}
    >
      <Icon name="save" />
      {save.on ? copy.saved : copy.save}
    </Button>
  );
}
