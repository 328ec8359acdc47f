import { useQuery } from "@connectrpc/connect-query";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import type { Data } from "@/lib/app";
import { defineWrite, showPart } from "./mutation";
import { refreshSession } from "./session";

/** The member's plan, and every change of it. */

const { method } = MembershipService;

/** Asked again whenever its tab is looked at: another one may have changed the plan. */
export const useMembership = () => useQuery(method.getMembership, {}, { refetchOnWindowFocus: "always" });

/** What says something else once the plan is another one. A quote does not: it is exact for its own moment. */
const invalidates = [method.getMembership, method.listLedger, ShopService, OrderService.method.listOrders];

const applied = (data: Data, { membership }: { membership?: Membership | undefined }): void => {
  if (membership) showPart(data, method.getMembership, { membership });
  // Plan, credits and what is open are the session's as well. Where it cannot be asked now, the next page asks.
  void refreshSession(data).catch(() => undefined);
};

export const OPEN_PORTAL = defineWrite({ method: method.openPortal });
export const TAKE_CARD = defineWrite({ method: method.takeCard, invalidates, applied });
export const CANCEL = defineWrite({ method: method.cancelMembership, invalidates, applied });
export const KEEP = defineWrite({ method: method.keepMembership, invalidates, applied });
export const CHANGE_PLAN = defineWrite({ method: method.changePlan, invalidates, applied });
export const RESET_TO_TRIAL = defineWrite({ method: method.resetToTrial, invalidates, applied });
export const END_PLAN = defineWrite({ method: method.endPlan, invalidates, applied });
export const SET_LETTERS = defineWrite({
  method: method.setLetters,
  applied: (data, { letters }) => {
    if (letters) showPart(data, method.getMembership, { letters });
  },
});

export type MembershipRead = ReturnType<typeof useMembership>;
