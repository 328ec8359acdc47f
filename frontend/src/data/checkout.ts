import { refusals } from "@/copy/checkout";
import { BasketService } from "@/gen/serein/web/v1/basket_pb";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { remember, remembered } from "@/lib/storage";
import type { Data } from "@/lib/app";
import type { UserError } from "./errors";
import { defineWrite, invalidate } from "./mutation";
import { refreshSession } from "./session";

/** Makes an order, and answers where it is paid. */
export const CHECKOUT = defineWrite({ method: BasketService.method.checkout });

/** Why there is no payment page, in words. */
export const refusalOf = ({ reason, message }: UserError): string =>
  Object.hasOwn(refusals, reason) ? refusals[reason as keyof typeof refusals] : message;

/** Set while this tab is away at the payment page. */
const AWAY_KEY = "serein-paying";

/** The order whose payment page was opened. `plan`: without the basket. */
export interface Paying {
  orderId: string;
  plan: boolean;
}

/** Leaves for the payment page. */
export function leaveToPay(order: Paying, url: string): void {
  remember("sessionStorage", AWAY_KEY, JSON.stringify(order));
  window.location.assign(url);
}

/** The order that this tab went away to pay, or null. */
export function paying(): Paying | null {
  try {
    const kept = JSON.parse(remembered("sessionStorage", AWAY_KEY) ?? "null") as Partial<Paying> | null;
    return kept?.orderId ? { orderId: kept.orderId, plan: kept.plan === true } : null;
  } catch {
    return null;
  }
}

export const forgetPaying = (): void => remember("sessionStorage", AWAY_KEY, null);

const BOUGHT = [
  BasketService.method.getBasket,
  ShopService,
  OrderService.method.listOrders,
  MembershipService,
];

/** Reads again what an order changes: the plan, the credits, the basket, the cards. */
export async function readBought(data: Data): Promise<void> {
  invalidate(data, BOUGHT);
  // If the session cannot be read, the known one stays on the screen, and the next page reads it again.
  await refreshSession(data).catch(() => undefined);
}
