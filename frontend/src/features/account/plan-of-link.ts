import { useQuery } from "@connectrpc/connect-query";
import { useEffect } from "react";
import { CheckoutRequestRules as RULES } from "@/gen/serein/web/v1/basket_rules";
import { PlanKind } from "@/gen/serein/web/v1/session_pb";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import type { PendingPlan } from "@/lib/pending-plan";
import { keepPendingPlan } from "@/lib/pending-plan";
import { useBrowserLocation } from "@/lib/router";

/** What a link from outside, /signup?planId=calm-core&period=year, says of the membership that one comes for. */
export type PlanOfLink =
  | { is: "none" | "not yet known" | "unknown" }
  /** Its payment follows the sign-in. */
  | { is: "known"; name: string };

/** The period to pay for: the one that was asked for where the plan is sold for it, else the other; null where it is sold for none. */
function periodOf({ monthly, yearly }: MembershipCard, asked: string): PendingPlan["period"] | null {
  if (yearly && (asked === "year" || !monthly)) return "year";
  return monthly ? "month" : null;
}

/** What is kept until the sign-in; null where the plan leads to no payment. */
function pendingOf(card: MembershipCard | undefined, asked: string): PendingPlan | null {
  const period = card && periodOf(card, asked);
  return period ? { planId: card.id, period } : null;
}

/**
 * Keeps the membership that the address names, through the steps of signing up, until it has led to its payment. One that is not
 * sold is forgotten, and so is the free trial, which everybody gets. While the shop is away the plan is kept as it was named: the
 * checkout judges it.
 */
export function usePlanOfLink(): PlanOfLink {
  const query = new URLSearchParams(useBrowserLocation().search);
  const named = query.get("planId")?.trim() ?? "";
  const asked = query.get("period") ?? "";
  const possible = named !== "" && named.length <= RULES.planId.maxLen;
  const { data } = useQuery(ShopService.method.getMemberships, {}, { enabled: possible });
  const card = data?.plans.find(({ id }) => id === named);
  const pending = pendingOf(card, asked);
  const keeps = data ? pending?.period : possible && (asked === "year" ? "year" : "month");
  useEffect(() => {
    if (named) keepPendingPlan(keeps ? { planId: named, period: keeps } : null);
  }, [named, keeps]);
  if (!named || card?.kind === PlanKind.TRIAL) return { is: "none" };
  if (possible && !data) return { is: "not yet known" };
  return card && pending ? { is: "known", name: card.name } : { is: "unknown" };
}
