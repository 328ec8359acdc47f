import { basket } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import type { BasketNews } from "@/data/basket-owner";
import { BasketItemKind } from "@/gen/serein/web/v1/basket_pb";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import css from "./OneMembership.module.css";

const copy = basket.one;

/** Which of two memberships shall it be? The one that is there stays until it is answered. */
export function OneMembership({ instead }: { instead: NonNullable<BasketNews["instead"]> }) {
  const { basket: now, add, dismiss, pending } = useBasket();
  const there = now?.lines.find(({ kind }) => kind === BasketItemKind.MEMBERSHIP)?.name ?? "";
  return (
    <section className={css.panel} role="status" aria-labelledby="one">
      <div>
        <h2 id="one">{copy.title}</h2>
        <p>{copy.text(there, instead.name)}</p>
      </div>
      <div className={css.answers}>
        <Button small pending={pending} onClick={() => void add(instead, { replace: true })}>
          {copy.replace(instead.name, formatMoney(instead.price))}
        </Button>
        <Button small onClick={dismiss}>
          {copy.keep(there)}
        </Button>
      </div>
    </section>
  );
}
