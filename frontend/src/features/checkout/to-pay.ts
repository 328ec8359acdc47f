import type { Basket } from "@/gen/serein/web/v1/basket_pb";
import type { Money } from "@/lib/money";

/** What the payment page asks for: the basket's total, and the delivery that is added there. */
export const toPay = ({ total, delivery, deliveryPrice }: Basket): Money => ({
  amount: (total?.amount ?? 0n) + (delivery ? (deliveryPrice?.amount ?? 0n) : 0n),
  currency: total?.currency ?? "gbp",
});

/** When a membership that is paid at a time (ms) is paid again: on the same day, or on the month's last where there is no such day. */
export function renewal(paid: number, period: "month" | "year"): number {
  const day = new Date(paid);
  const later = new Date(paid);
  later.setMonth(day.getMonth() + (period === "year" ? 12 : 1));
  // A day that the month does not have has run over into the next one.
  if (later.getDate() !== day.getDate()) later.setDate(0);
  return later.getTime();
}
