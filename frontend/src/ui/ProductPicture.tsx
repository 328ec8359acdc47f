import { product as copy } from "@/copy/product";
import type { Picture } from "@/gen/serein/web/v1/items_pb";
import { hasPicture } from "@/lib/picture";
import { not, When } from "@/lib/template";
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
  const there = hasPicture(picture);
  return (
    <>
      <When {...there}>
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
      <When {...not(there)}>
        <div className={classes(css.picture, css.none, className)}>
          <Motif className={css.motif} />
          {small ? null : <span>{copy.pictureToFollow}</span>}
        </div>
      </When>
    </>
  );
}
