import { timestampMs } from "@bufbuild/protobuf/wkt";
import { orders as copy } from "@/copy/orders";
import type { Order } from "@/gen/serein/web/v1/orders_pb";
import { formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Badge } from "@/ui/Badge";
import { ItemPicture } from "@/ui/ItemPicture";
import css from "./OrderRow.module.css";
import { boughtIn, hasReceipt, pictureOf, standingOf } from "./words";

const dateOf = ({ completedAt, createdAt }: Order): string => {
  const at = completedAt ?? createdAt;
  return at ? formatLongDate(timestampMs(at)) : "";
};

function Total({ order }: { order: Order }) {
  const { total, delivery, discount, credited, carried, refunded } = order;
  return (
    <p className={css.total}>
      {formatMoney(total)}
      {discount ? <small>{copy.discount(formatMoney(discount))}</small> : null}
      {credited ? <small>{copy.credited(formatMoney(credited))}</small> : null}
      {carried ? <small>{copy.carried(formatMoney(carried))}</small> : null}
      {delivery ? <small>{copy.delivery(formatMoney(delivery))}</small> : null}
      {refunded ? <small>{copy.refunded(formatMoney(refunded))}</small> : null}
    </p>
  );
}

/** One order: what it was, where it stands, and its receipt. */
export function OrderRow({ order }: { order: Order }) {
  const standing = standingOf(order);
  return (
    <li className={css.order}>
      <ItemPicture {...pictureOf(order.items[0])} small />
      <div className={css.words}>
        <h2>{boughtIn(order)}</h2>
        <p>{[order.number, dateOf(order)].filter(Boolean).join(", ")}</p>
        {order.address.length > 0 ? (
          <p>
            {copy.sentTo} {order.address.join(", ")}
          </p>
        ) : null}
      </div>
      <p className={css.state} data-state={standing}>
        <Badge className={css.badge}>{copy.state[standing]}</Badge>
      </p>
      <Total order={order} />
      {hasReceipt(order) ? (
        <a
          className={css.receipt}
          href={paths.receipt(order.id)}
          download={`${order.number}.pdf`}
          aria-label={copy.receiptOf(order.number)}
        >
          {copy.receipt}
        </a>
      ) : null}
    </li>
  );
}
