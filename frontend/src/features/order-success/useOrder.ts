import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { forgetPaying, readBought } from "@/data/checkout";
import { useData } from "@/data/data";
import { OrderService, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { useFilters } from "@/lib/filters";
import { jittered } from "@/lib/jitter";

/** The pauses before an order whose payment is not known yet is asked for again; after the last one nobody asks (ms, before jitter). */
export const PAUSES_MS = [2_000, 3_000, 5_000, 8_000, 13_000, 20_000, 30_000, 45_000, 60_000];

/** What was bought leaves the basket, and opens the plan, by an event moments after the payment (ms). */
const AFTER_MS = [0, 3_000, 10_000];

/** The order of the address, asked for until it is known what became of it. */
export function useOrder() {
  const data = useData();
  const orderId = useFilters().get("order");
  const [tries, count] = useState(0);
  const read = useQuery(OrderService.method.getOrder, { orderId }, { enabled: orderId !== "", staleTime: 0 });
  const { data: answer, error, refetch } = read;
  const order = answer?.order;
  const state = order?.state;
  const confirming = state === OrderState.OPEN || state === OrderState.PROCESSING;
  const pause = confirming ? PAUSES_MS[tries] : undefined;
  useEffect(() => {
    if (pause === undefined) return undefined;
    const timer = setTimeout(() => void refetch().then(() => count((n) => n + 1)), jittered(pause));
    return () => clearTimeout(timer);
  }, [pause, refetch]);
  useEffect(() => {
    if (state === undefined || confirming) return undefined;
    forgetPaying();
    const timers = AFTER_MS.map((ms) => setTimeout(() => void readBought(data), jittered(ms)));
    return () => timers.forEach(clearTimeout);
  }, [state, confirming, data]);
  return {
    orderId,
    order,
    error,
    refetch,
    confirming,
    /** Nobody asks any more by itself. */
    late: confirming && pause === undefined,
    /** Asks at once, and goes on asking. */
    askAgain: () => void refetch().then(() => count(0)),
  };
}
