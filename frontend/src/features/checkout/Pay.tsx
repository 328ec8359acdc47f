import { useState } from "react";
import { checkout } from "@/copy/checkout";
import { useBasket } from "@/data/basket";
import { CHECKOUT, leaveToPay, refusalOf } from "@/data/checkout";
import { useWrite } from "@/data/mutation";
import type { Basket } from "@/gen/serein/web/v1/basket_pb";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { toast } from "@/ui/toast/store";
import css from "./CheckoutPage.module.css";
import { toPay } from "./to-pay";
import { useShownAgain } from "./useShownAgain";

const copy = checkout.card;

/** Refusals because the basket differs from what is shown. */
const STALE: readonly string[] = [
  "CHECKOUT_EMPTY",
  "VERSION_MISMATCH",
  "ITEM_NOT_SOLD",
  "ITEM_SOLD_OUT",
  "MEMBERSHIP_ALONE",
];

interface PayProps {
  basket: Basket;
  /** Where the receipt goes. */
  email: string;
  /** Whether an earlier attempt was refused. */
  again: boolean;
  /** Gets the reason of a refusal; "" when a new attempt begins. */
  onRefused: (why: string) => void;
}

/** The way to the payment page. */
export function Pay({ basket, email, again, onRefused }: PayProps) {
  const { pending: changing, refetch } = useBasket();
  const { send, pending } = useWrite(CHECKOUT);
  const [leaving, leave] = useState(false);
  useShownAgain(() => leave(false));
  const blocked = basket.lines.some(({ unavailable }) => unavailable);
  const price = formatMoney(toPay(basket));
  const pay = async () => {
    onRefused("");
    const { answer, trouble } = await send({ version: basket.version });
    if (answer) {
      leave(true);
      return leaveToPay({ orderId: answer.orderId, plan: false }, answer.url);
    }
    const now = STALE.includes(trouble.reason) ? (await refetch()).data?.basket : basket;
    // An empty basket's page comes instead of this one: there it is said.
    if (now?.lines.length === 0) toast(refusalOf(trouble), "info");
    onRefused(refusalOf(trouble));
  };
  return (
    <div className={css.inside}>
      <div>
        <h2>{copy.title}</h2>
        <p className={css.lead}>
          {basket.delivery ? copy.textDelivery : copy.text} {basket.promotionCodes ? copy.code : null}
        </p>
      </div>
      <p className={css.receipt}>
        <b>{copy.receipt}</b>
        <span>{email}</span>
      </p>
      <div className={css.act}>
        <Button
          look="primary"
          wide
          pending={pending || leaving || changing}
          unavailable={blocked}
          aria-describedby={blocked ? "pay-why" : undefined}
          className={css.button}
          onClick={() => void pay()}
        >
          <Icon name="lock" />
          {again ? copy.again(price) : copy.pay(price)}
        </Button>
        {blocked ? (
          <p className={css.fault} id="pay-why">
            {copy.blocked}
          </p>
        ) : null}
        <p>
          {copy.accept}
          <Link to={paths.terms}>{copy.terms}</Link>.
        </p>
      </div>
    </div>
  );
}
