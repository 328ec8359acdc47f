import { useState } from "react";
import { basket as words } from "@/copy/basket";
import { checkout } from "@/copy/checkout";
import { factsOf, isMembership, nameOf, pictureOf } from "@/data/basket-lines";
import type { Basket, BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { formatLongDate, formatNumber } from "@/lib/format";
import { formatMoney, times } from "@/lib/money";
import { ItemPicture } from "@/ui/ItemPicture";
import { Panel } from "@/ui/Panel";
import css from "./Summary.module.css";
import { renewal, toPay } from "./to-pay";

const copy = checkout.summary;

/** How long, or which: "One month, renews on its own". */
function kindOf(line: BasketLine): string {
  if (!isMembership(line)) return factsOf(line);
  return line.size === "year" ? copy.year : copy.month;
}

function Line({ line }: { line: BasketLine }) {
  return (
    <li className={css.line}>
      <ItemPicture {...pictureOf(line)} small />
      <div>
        <h3>{nameOf(line)}</h3>
        <p>{kindOf(line)}</p>
        <p>{copy.quantity(line.quantity)}</p>
        {line.unavailable ? <p className={css.fault}>{words.unavailable}</p> : null}
      </div>
      <p className={css.price}>{formatMoney(times(line.price, line.quantity))}</p>
    </li>
  );
}

/** What a membership brings, and what it costs from then on. */
function Membership({ line }: { line: BasketLine }) {
  const period = line.size === "year" ? "year" : "month";
  const [today] = useState(Date.now);
  return (
    <>
      <div>
        <dt>{copy.credits[period]}</dt>
        <dd>{formatNumber(Number(line.credits))}</dd>
      </div>
      <div>
        <dt>
          {copy.thereafter}
          <small>{copy.from(formatLongDate(renewal(today, period)))}</small>
        </dt>
        <dd>
          {formatMoney(line.price)} {period === "year" ? copy.aYear : copy.aMonth}
        </dd>
      </div>
    </>
  );
}

/** What is bought, and what it comes to. */
export function Summary({ basket }: { basket: Basket }) {
  const plan = basket.lines.find(isMembership);
  return (
    <Panel title={copy.title} className={css.panel}>
      <ul className={css.lines}>
        {basket.lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <dl className={css.sums}>
        {plan ? <Membership line={plan} /> : null}
        {basket.delivery ? (
          <div>
            <dt>
              {copy.delivery}
              <small>{copy.deliveryText}</small>
            </dt>
            <dd>{basket.deliveryPrice ? formatMoney(basket.deliveryPrice) : copy.free}</dd>
          </div>
        ) : null}
        <div className={css.total}>
          <dt>{plan ? copy.totalToday : copy.total}</dt>
          <dd>{formatMoney(toPay(basket))}</dd>
        </div>
      </dl>
    </Panel>
  );
}
