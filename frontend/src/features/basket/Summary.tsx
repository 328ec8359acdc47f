import type { ReactNode } from "react";
import { basket } from "@/copy/basket";
import { isMembership, isPack } from "@/data/basket-lines";
import type { Basket } from "@/gen/serein/web/v1/basket_pb";
import { formatCount } from "@/lib/format";
import { formatMoney, times } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button, ButtonLink, GoWords } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";
import css from "./Summary.module.css";

const copy = basket.summary;

function Row({
  name,
  note,
  children,
  total,
}: {
  name: string;
  note?: string;
  children: ReactNode;
  total?: boolean;
}) {
  return (
    <div className={classes(css.row, total && css.total)}>
      <dt>
        {name}
        {note ? <small>{note}</small> : null}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The things that are sent by post, in one row. */
function Things({ basket: { lines, total } }: { basket: Basket }) {
  const things = lines.filter((line) => !isMembership(line) && !isPack(line));
  if (things.length === 0) return null;
  const count = things.reduce((sum, { quantity }) => sum + quantity, 0);
  const amount = things.reduce((sum, line) => sum + times(line.price, line.quantity).amount, 0n);
  return (
    <Row name={formatCount(count, copy.thing, copy.things)}>
      {formatMoney({ amount, currency: total?.currency ?? "gbp" })}
    </Row>
  );
}

/** What the checkout asks for, and the way there. */
export function Summary({ basket: now }: { basket: Basket }) {
  const plan = now.lines.find(isMembership);
  const blocked = now.lines.some(({ unavailable }) => unavailable);
  const paysForDelivery = now.delivery && now.deliveryPrice !== undefined;
  const period = plan?.size === "year" ? "year" : "month";
  return (
    <Panel title={copy.title} className={css.panel}>
      <dl className={css.list}>
        <Things basket={now} />
        {now.lines.filter(isPack).map((line) => (
          <Row key={line.id} name={line.name}>
            {formatMoney(line.price)}
          </Row>
        ))}
        {plan ? (
          <Row name={`${plan.name}, ${basket[`${period}ly`].toLowerCase()}`}>{formatMoney(plan.price)}</Row>
        ) : null}
        {now.delivery ? (
          <Row name={copy.delivery} note={copy.deliveryText}>
            {now.deliveryPrice ? formatMoney(now.deliveryPrice) : copy.deliveryFree}
          </Row>
        ) : null}
        <Row
          name={plan ? copy.totalToday : copy.total}
          {...(paysForDelivery && { note: copy.beforeDelivery })}
          total
        >
          {formatMoney(now.total)}
        </Row>
        {plan ? (
          <Row name={copy.thereafter} note={copy.until}>
            {formatMoney(plan.price)} {period === "year" ? basket.aYear : basket.aMonth}
          </Row>
        ) : null}
      </dl>
      {blocked ? (
        <>
          <Button look="primary" wide unavailable aria-describedby="blocked" className={css.go}>
            {copy.go}
          </Button>
          <p className={css.blocked} id="blocked">
            {copy.blocked}
          </p>
        </>
      ) : (
        <ButtonLink look="primary" wide to={paths.checkout} className={css.go}>
          {copy.go}
        </ButtonLink>
      )}
      <Link className={css.look} to={plan ? paths.memberships : paths.apparel}>
        <GoWords>{plan ? copy.plans : copy.look}</GoWords>
      </Link>
      <ul className={css.assure}>
        <li>
          <Icon name="lock" />
          <span>{copy.card}</span>
        </li>
        {plan ? (
          <li>
            <Icon name="undo" />
            <span>{copy.cancel}</span>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
}
