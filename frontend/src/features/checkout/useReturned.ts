import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { checkout as copy } from "@/copy/checkout";
import { forgetPaying, paying } from "@/data/checkout";
import { OrderService, OrderState } from "@/gen/serein/web/v1/orders_pb";
import { paths } from "@/lib/paths";
import { useNavigate } from "@/lib/router";
import type { Said } from "@/lib/said";
import { useMember } from "@/lib/session";
import { useShownAgain } from "./useShownAgain";

/** Not paid, and nothing under way. */
const UNPAID: readonly OrderState[] = [OrderState.OPEN, OrderState.CLOSED];

/**
 * Who went away to pay and comes here again has cancelled, or has used the browser's way back after paying: the order
 * says which. Nobody is told that nothing was taken before that is known.
 */
export function useReturned(): { asking: boolean; cancelled: boolean } {
  const [away, set] = useState(paying);
  const member = useMember();
  const navigate = useNavigate();
  useShownAgain(() => set(paying()));
  const orderId = away?.orderId ?? "";
  const { data, error } = useQuery(
    OrderService.method.getOrder,
    { orderId },
    { enabled: away !== null && member !== null, retry: false, staleTime: 0, gcTime: 0 },
  );
  const state = data?.order?.state;
  const unpaid = state !== undefined && UNPAID.includes(state);
  const onItsWay = state !== undefined && !unpaid;
  const plan = away?.plan === true;
  useEffect(() => {
    if (!state && !error) return;
    forgetPaying();
    if (onItsWay)
      navigate(`${paths.orderSuccess}?${new URLSearchParams({ order: orderId }).toString()}`, {
        replace: true,
      });
    else if (unpaid && plan)
      navigate(paths.memberships, { replace: true, state: { said: copy.cancelled } satisfies Said });
  }, [state, error, onItsWay, unpaid, plan, orderId, navigate]);
  const asked = away !== null && member !== null && !error;
  return { asking: asked && (!unpaid || plan), cancelled: unpaid };
}
