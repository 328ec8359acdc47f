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
 * A member who left to pay and comes back here has cancelled, or has pressed the browser's Back after paying: the order's
 * state says which. The page says that nothing was taken only once that state is known.
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
