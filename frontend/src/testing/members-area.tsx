import type { ServiceImpl } from "@connectrpc/connect";
import { page } from "vitest/browser";
import { ConsentService } from "@/gen/serein/web/v1/account_pb";
import type { GetMembershipResponse } from "@/gen/serein/web/v1/membership_pb";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import type { ReactNode } from "react";
import type { Member } from "@/lib/boot";
import { member } from "./member";
import { MockBasket } from "./mock-basket";
import { MockCredentials } from "./mock-credentials";
import { answerOf, pagesOf, someRows } from "./mock-membership";
import { show } from "./page";

/** A member on Core, with credits of both kinds. */
export const onCore = (more: Partial<Member> = {}): Member =>
  member({
    plan: {
      id: "calm-core",
      name: "Core",
      endsAt: Date.UTC(2026, 11, 14, 12),
      active: true,
      trial: false,
      renews: true,
      graceUntil: 0,
      entitlements: ["library", "articles", "top_up"],
    },
    credits: { plan: 14, topUp: 20, held: 0 },
    ...more,
  });

interface Setting {
  who?: Member;
  path?: string;
  basket?: MockBasket;
  answers?: Partial<ServiceImpl<typeof MembershipService>>;
  /** Whether they have agreed to marketing; asked at every read. */
  marketing?: () => boolean;
}

/** Shows a part of the Members Area with what the gateway says of the membership. */
export const showMembership = (
  ui: ReactNode,
  membership: () => GetMembershipResponse = () => answerOf(),
  {
    who = onCore(),
    path = "/members",
    basket = new MockBasket(),
    answers = {},
    marketing = () => true,
  }: Setting = {},
) =>
  show(<main>{ui}</main>, {
    member: who,
    path,
    gateway: (router) => {
      basket.serve(router);
      new MockCredentials().serve(router);
      router.rpc(ConsentService.method.getConsents, () => ({ consents: { marketing: marketing() } }));
      router.service(MembershipService, {
        getMembership: membership,
        listLedger: pagesOf(someRows(), 40),
        ...answers,
      });
    },
  });

export const panel = (name: string) => page.getByRole("region", { name, exact: true });
