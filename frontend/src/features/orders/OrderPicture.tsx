import type { OrderItem } from "@/gen/serein/web/v1/orders_pb";
import { OrderItemKind } from "@/gen/serein/web/v1/orders_pb";
import { classes } from "@/ui/classes";
import { Emblem } from "@/ui/Emblem";
import { ProductPicture } from "@/ui/ProductPicture";
import css from "./OrderPicture.module.css";

/** A membership's rings, a pack's number, a thing's place. Its name stands beside it. */
export function OrderPicture({ item }: { item: OrderItem | undefined }) {
  if (item?.kind === OrderItemKind.MEMBERSHIP)
    return (
      <div className={classes(css.picture, css.plan)}>
        <Emblem className={css.emblem} />
      </div>
    );
  if (item?.kind === OrderItemKind.CREDIT_PACK)
    return (
      <div className={classes(css.picture, css.pack)} aria-hidden="true">
        {String(item.credits)}
      </div>
    );
  return <ProductPicture picture={undefined} small className={css.picture} />;
}
