import { orders } from "@/copy/orders";

const CAUSES: Readonly<Record<string, (plan: string) => string>> = {
  renewal: orders.renewal,
  change: orders.change,
};

/** What the membership is called that an order paid for without a checkout; nothing where there was one. */
export const withoutCheckout = (plan: string, cause: string): string | undefined => CAUSES[cause]?.(plan);
