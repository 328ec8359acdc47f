import type { ConnectRouter } from "@connectrpc/connect";
import { CardAction, ShopService } from "@/gen/serein/web/v1/shop_pb";
import { booted } from "./booted";
import { apparel, memberships, topUps } from "./shop";

/** What is sold, from memory. `?scene=member` is somebody on Core. */

const scene = () =>
  typeof window === "undefined" ? "" : (new URLSearchParams(window.location.search).get("scene") ?? "");

/** The page as a member on Core sees it. */
export function membershipsOnCore() {
  const page = memberships();
  const [trial, core, premium, generate] = page.plans;
  if (trial) Object.assign(trial, { action: CardAction.NONE, badge: "Completed" });
  if (core?.monthly && core.yearly) {
    core.badge = "Active";
    core.monthly.action = CardAction.CURRENT;
    core.yearly.action = CardAction.CHANGE;
  }
  for (const plan of [premium, generate])
    for (const offer of [plan?.monthly, plan?.yearly]) if (offer) offer.action = CardAction.CHANGE;
  return page;
}

export function mockShop(router: ConnectRouter): void {
  router.service(ShopService, {
    getMemberships: () => (scene() === "member" ? membershipsOnCore() : memberships()),
    getTopUps: () => {
      const trial = booted()?.member?.plan?.kind === "PLAN_KIND_TRIAL";
      return topUps(booted()?.member !== undefined && !trial, trial);
    },
    getApparel: () => apparel(),
  });
}
