import { orders as copy } from "@/copy/orders";
import { withoutCheckout } from "@/data/order-cause";
import type { Order, OrderItem } from "@/gen/serein/web/v1/orders_pb";
import { OrderItemKind, OrderState } from "@/gen/serein/web/v1/orders_pb";
import type { ItemPictureProps } from "@/ui/ItemPicture";

/** How an order is put into words. */

function nameOf({ kind, name, size, quantity }: OrderItem, cause: string): string {
  if (kind === OrderItemKind.MEMBERSHIP)
    return (
      withoutCheckout(name, cause) ??
      `${copy.membership(name)}, ${size === "year" ? copy.yearly : copy.monthly}`
    );
  const sized = size ? `${name}, ${copy.size(size)}` : name;
  return quantity > 1 ? copy.pieces(quantity, sized) : sized;
}

/** What its picture is made of: that of what was named first. */
export function pictureOf(item: OrderItem | undefined): ItemPictureProps {
  if (item?.kind === OrderItemKind.MEMBERSHIP) return { kind: "membership" };
  if (item?.kind === OrderItemKind.CREDIT_PACK) return { kind: "pack", credits: item.credits };
  return { kind: "product", picture: item?.picture };
}

/** "The leaning pine tee, size M; rain socks and 41 credits": what was bought, in one line. */
export function boughtIn({ items, cause }: Order): string {
  const names = items.map((item) => nameOf(item, cause));
  const last = names.pop() ?? "";
  return names.length > 0 ? [names.join("; "), last].join(copy.and) : last;
}

export type Standing = keyof typeof copy.state;

/** Where an order stands: what went back says more than its state. */
export function standingOf({ state, total, refunded, disputed, ships, sentAt }: Order): Standing {
  const back = refunded?.amount ?? 0n;
  if ((disputed?.amount ?? 0n) > 0n) return "disputed";
  if (back > 0n) return back < (total?.amount ?? 0n) ? "partly" : "refunded";
  if (state === OrderState.RETURNING) return total?.amount ? "returning" : "free";
  if (state === OrderState.CLOSED) return "closed";
  if (state !== OrderState.COMPLETED) return "confirming";
  if (!ships) return "paid";
  return sentAt ? "sent" : "packing";
}

/** A receipt is written once the payment is known. */
export const hasReceipt = ({ state }: Order): boolean =>
  state === OrderState.COMPLETED || state === OrderState.RETURNING;
