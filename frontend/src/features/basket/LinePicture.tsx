import { basket as copy } from "@/copy/basket";
import { isMembership, isPack } from "@/data/basket-lines";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { classes } from "@/ui/classes";
import { Emblem } from "@/ui/Emblem";
import { ProductPicture } from "@/ui/ProductPicture";
import css from "./LinePicture.module.css";

/** A thing's picture, a pack's number, a membership's rings. Its name stands beside it. */
export function LinePicture({ line, small }: { line: BasketLine; small?: boolean }) {
  const size = classes(css.picture, small && css.small);
  if (isMembership(line))
    return (
      <div className={classes(size, css.plan)}>
        <Emblem className={css.emblem} />
      </div>
    );
  if (isPack(line))
    return (
      <div className={classes(size, css.pack)} aria-hidden="true">
        <b>{String(line.credits)}</b>
        <span>{copy.credits}</span>
      </div>
    );
  return <ProductPicture picture={line.picture} small className={size} />;
}
