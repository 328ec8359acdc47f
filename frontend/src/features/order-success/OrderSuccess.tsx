import type { ReactNode } from "react";
import { orderSuccess as copy } from "@/copy/checkout";
import { toUserError } from "@/data/errors";
import type { Order } from "@/gen/serein/web/v1/orders_pb";
import { OrderItemKind, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Motif } from "@/ui/Marks";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorPanel } from "@/ui/States";
import { NextSteps } from "./NextSteps";
import css from "./OrderSuccess.module.css";
import { Receipt } from "./Receipt";
import { useOrder } from "./useOrder";

/** What was bought is there: "Premium is open, with 61 credits." */
function opened({ items }: Order): string {
  const { done } = copy;
  const said = items.map(({ kind, name, credits }) => {
    const number = formatNumber(Number(credits));
    if (kind === OrderItemKind.MEMBERSHIP)
      return credits > 0n ? done.membership(name, number) : done.membershipAlone(name);
    return kind === OrderItemKind.CREDIT_PACK ? done.pack(number) : done.things;
  });
  return [...new Set([...said, done.receipt])].join(" ");
}

interface Words {
  title: string;
  text: string;
}

function wordsOf(order: Order, late: boolean): Words {
  if (order.state === OrderState.CLOSED) return copy.closed;
  if (order.state === OrderState.RETURNING) return order.total?.amount ? copy.returning : copy.free;
  if (order.state === OrderState.COMPLETED) return { title: copy.done.title, text: opened(order) };
  const { title, text, still, long } = copy.confirming;
  return { title, text: late ? long : `${text} ${still}` };
}

/** The ways on, which are the same whatever became of it, after the one that is nearer. */
const Ways = ({ first }: { first?: ReactNode }) => (
  <>
    {first}
    <ButtonLink look={first ? "line" : "primary"} to={paths.home}>
      {copy.home}
    </ButtonLink>
    <ButtonLink to={paths.orders}>{copy.orders}</ButtonLink>
  </>
);

const toBasket = (
  <ButtonLink look="primary" to={paths.basket}>
    {copy.closed.basket}
  </ButtonLink>
);

const Unknown = () => (
  <Empty as="h1" title={copy.unknown.title} action={<Ways />}>
    {copy.unknown.text}
  </Empty>
);

/** Nobody knows such an order, or the address is none of an order. */
const UNKNOWN: readonly string[] = ["ORDER_NOT_FOUND", "INVALID_ARGUMENT"];

/** What became of an order, after the payment page. */
export function OrderSuccess() {
  const { orderId, order, error, refetch, confirming, late, askAgain } = useOrder();
  if (!orderId) return <Unknown />;
  if (!order && error) {
    const trouble = toUserError(error);
    if (UNKNOWN.includes(trouble.reason)) return <Unknown />;
    return <ErrorPanel as="h1" {...trouble} onRetry={() => void refetch()} />;
  }
  if (!order) return <PageLoader label={copy.loading} />;
  const { title, text } = wordsOf(order, late);
  const again = (
    <Button look="primary" onClick={askAgain}>
      {copy.confirming.ask}
    </Button>
  );
  return (
    <div className="wrap">
      <div className={css.columns}>
        <div className={css.words}>
          <Motif className={css.motif} />
          <div role="status" aria-busy={confirming && !late}>
            <h1>{title}</h1>
            <p className="lead">{text}</p>
          </div>
          <p className={css.ways}>
            <Ways first={late ? again : order.state === OrderState.CLOSED && toBasket} />
          </p>
        </div>
        <Receipt order={order} />
      </div>
      {order.state === OrderState.COMPLETED ? <NextSteps /> : null}
    </div>
  );
}
