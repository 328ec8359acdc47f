import { product as copy } from "@/copy/product";
import type { Picture } from "@/gen/serein/web/v1/items_pb";
import { When } from "@/lib/template";
import { classes } from "./classes";
import { Motif } from "./Marks";
import css from "./ProductPicture.module.css";

/** An item's picture, 4:5, or the rings while it has no picture. The component around it sets the width. */
export function ProductPicture({
  picture,
  small,
  className,
}: {
  picture: Picture | undefined;
  /** For use beside the item's name: neither the picture nor the rings then have a text. */
  small?: boolean;
  className?: string | undefined;
}) {
  const there = Boolean(picture?.url);
  return (
    <>
      <When is={there} test="and .Picture .Picture.Url">
        <img
          className={classes(css.picture, className)}
          src={picture?.url}
          alt={small ? "" : picture?.alt}
          width={400}
          height={500}
          loading="lazy"
          decoding="async"
        />
      </When>
      <When is={!there} test="not (and .Picture .Picture.Url)">
        <div className={classes(css.picture, css.none, className)}>
          <Motif className={css.motif} />
          {small ? null : <span>{copy.pictureToFollow}</span>}
        </div>
      </When>
    </>
  );
}
