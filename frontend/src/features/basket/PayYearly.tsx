import { useQuery } from "@connectrpc/connect-query";
import { basket as copy } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { formatMoney, times } from "@/lib/money";
import { TextButton } from "@/ui/TextButton";
import css from "./Line.module.css";

/** Offers the year instead of the month, where that costs less. */
export function PayYearly({ line }: { line: BasketLine }) {
  const { data, error } = useQuery(ShopService.method.getMemberships, {});
  const { add, pending } = useBasket();
  const yearly = data?.plans.find(({ id }) => id === line.productId)?.yearly;
  const amount = times(line.price, 12).amount - (yearly?.price?.amount ?? 0n);
  // Its place is kept until it is known, or what stands below would move.
  if (!data && !error)
    return (
      <span className={css.soon} aria-hidden="true">
        {copy.payYearly(formatMoney(line.price))}
      </span>
    );
  if (!yearly || amount <= 0n) return null;
  const words = copy.payYearly(formatMoney({ amount, currency: line.price?.currency ?? "gbp" }));
  const item = { productId: line.productId, size: "year", name: line.name };
  return (
    <TextButton
      unavailable={pending}
      aria-label={copy.of(words, line.name)}
      onClick={() => void add(item, { replace: true })}
    >
      {words}
    </TextButton>
  );
}
