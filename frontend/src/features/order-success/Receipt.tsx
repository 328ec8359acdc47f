import { timestampMs } from "@bufbuild/protobuf/wkt";
import { orderSuccess } from "@/copy/checkout";
import type { Order, OrderItem } from "@/gen/serein/web/v1/orders_pb";
import { OrderItemKind, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { formatLongDate } from "@/lib/format";
import { formatMoney, times } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Panel } from "@/ui/Panel";
import css from "./Receipt.module.css";

const copy = orderSuccess.slip;

const isMembership = ({ kind }: OrderItem): boolean => kind === OrderItemKind.MEMBERSHIP;

function factsOf(item: OrderItem): string {
  const period = item.size === "year" ? copy.yearly : copy.monthly;
  const size = item.size ? copy.size(item.size) : "";
  const facts = [isMembership(item) ? period : size, copy.quantity(item.quantity)].filter(Boolean).join(", ");
  return facts.charAt(0).toUpperCase() + facts.slice(1);
}

/** What was ordered, as it was when it was. */
export function Receipt({ order }: { order: Order }) {
  const at = order.completedAt ?? order.createdAt;
  const { vat, delivery, discount, credited, carried, refunded } = order;
  return (
    <Panel
      title={copy.title}
      className={css.slip}
      action={
        <span className={css.number}>
          {[order.number, at && formatLongDate(timestampMs(at))].filter(Boolean).join(", ")}
        </span>
      }
    >
      <dl className={css.list}>
        {order.items.map((item) => (
          <div key={`${item.name} ${item.size}`}>
            <dt>
              {isMembership(item) ? copy.membership(item.name) : item.name}
              <small>{factsOf(item)}</small>
            </dt>
            <dd>{formatMoney(times(item.price, item.quantity))}</dd>
          </div>
        ))}
        {discount ? (
          <div>
            <dt>{copy.discount}</dt>
            <dd>{copy.less(formatMoney(discount))}</dd>
          </div>
        ) : null}
        {credited ? (
          <div>
            <dt>{copy.credited}</dt>
            <dd>{copy.less(formatMoney(credited))}</dd>
          </div>
        ) : null}
        {carried ? (
          <div>
            <dt>{copy.carried}</dt>
            <dd>{formatMoney(carried)}</dd>
          </div>
        ) : null}
        {delivery ? (
          <div>
            <dt>{copy.delivery}</dt>
            <dd>{formatMoney(delivery)}</dd>
          </div>
        ) : null}
        {vat ? (
          <div>
            <dt>{copy.vat(order.vatPercent)}</dt>
            <dd>{formatMoney(vat)}</dd>
          </div>
        ) : null}
        {refunded ? (
          <div>
            <dt>{copy.refunded}</dt>
            <dd>{formatMoney(refunded)}</dd>
          </div>
        ) : null}
        <div className={css.total}>
          <dt>{order.state === OrderState.COMPLETED ? copy.paid : copy.total}</dt>
          <dd>{formatMoney(order.total)}</dd>
        </div>
      </dl>
      {order.state === OrderState.COMPLETED && order.items.some(isMembership) ? (
        <p className={css.renews}>
          {copy.renews}
          <Link to={paths.members}>{copy.members}</Link>.
        </p>
      ) : null}
    </Panel>
  );
}
