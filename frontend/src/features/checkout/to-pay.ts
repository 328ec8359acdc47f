import type { Basket } from "@/gen/serein/web/v1/basket_pb";
import type { Money } from "@/lib/money";

/** What the payment page asks for: the basket's total, and the delivery that is added there. */
export const toPay = ({ total, delivery, deliveryPrice }: Basket): Money => ({
  amount: (total?.amount ?? 0n) + (delivery ? (deliveryPrice?.amount ?? 0n) : 0n),
  currency: total?.currency ?? "gbp",
});
