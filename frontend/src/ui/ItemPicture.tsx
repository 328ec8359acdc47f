import { product as copy } from "@/copy/product";
import type { Picture } from "@/gen/serein/web/v1/items_pb";
import { classes } from "./classes";
import { Emblem } from "./Emblem";
import css from "./ItemPicture.module.css";
import { ProductPicture } from "./ProductPicture";

export interface ItemPictureProps {
  kind: "membership" | "pack" | "product";
  /** That a pack brings. */
  credits?: bigint;
  /** Of a product. */
  picture?: Picture | undefined;
  /** In a list that only says what was chosen. */
  small?: boolean;
}

/** What is sold, 4:5: a membership's rings, a pack's number, a product's picture. Its name stands beside it. */
export function ItemPicture({ kind, credits, picture, small }: ItemPictureProps) {
  const size = classes(css.picture, small && css.small);
  if (kind === "membership")
    return (
      <div className={classes(size, css.plan)}>
        <Emblem className={css.emblem} />
      </div>
    );
  if (kind === "pack")
    return (
      <div className={classes(size, css.pack)} aria-hidden="true">
        <b>{String(credits)}</b>
        <span>{copy.credits}</span>
      </div>
    );
  return (
    <div className={size}>
      <ProductPicture picture={picture} small />
    </div>
  );
}
