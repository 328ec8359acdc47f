import { create } from "@bufbuild/protobuf";
import { Code, createRouterTransport } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { createData } from "@/data/data";
import type { CheckoutRequest } from "@/gen/serein/web/v1/basket_pb";
import { BasketService } from "@/gen/serein/web/v1/basket_pb";
import type { GetSessionResponse } from "@/gen/serein/web/v1/session_pb";
import { GetSessionResponseSchema, PlanKind, SessionService } from "@/gen/serein/web/v1/session_pb";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { AWAY_KEY, CONFIRMED_KEY, SESSION_CHANNEL } from "@/lib/sign-in";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { toaster } from "@/ui/toast/store";
import { watchTabs } from "./tabs";

const amara = { uid: "u", givenName: "Amara" };
const trialOffer = { days: 5, invitedDays: 9, credits: 3n };
const ends: (() => void)[] = [];

/** A tab whose server says this of who is signed in, and the word that another tab can say. */
function tab(
  session: ReturnType<typeof createSession>,
  answer: GetSessionResponse,
  checkout: (request: CheckoutRequest) => { orderId: string; url: string } = () => {
    throw new Error("nobody pays");
  },
) {
  const data = createData(
    session,
    createRouterTransport(({ rpc }) => {
      rpc(SessionService.method.getSession, () => answer);
      rpc(BasketService.method.checkout, checkout);
    }),
  );
  const tabs = watchTabs(session, () => Promise.resolve(data));
  const other = new BroadcastChannel(SESSION_CHANNEL);
  ends.push(tabs.close, () => other.close());
  return (type: string) => other.postMessage({ type });
}

const said = () => toaster.list.get().map(({ text }) => text);

afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
  sessionStorage.clear();
});

test("who has just confirmed an account is told what has begun, in the server's numbers, once", async () => {
  sessionStorage.setItem(CONFIRMED_KEY, "yes");
  const session = createSession({ ...VISITOR });
  const say = tab(session, create(GetSessionResponseSchema, { member: amara, trialOffer }));
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome, Amara. Your five days and three credits have begun."]);
  expect(session.get().member?.givenName).toBe("Amara");
  expect(sessionStorage.getItem(CONFIRMED_KEY)).toBeNull();
});

test("who had a trial under another address of the mailbox is welcomed, and told of none", async () => {
  sessionStorage.setItem(CONFIRMED_KEY, "yes");
  const plan = { id: "p", kind: PlanKind.TRIAL, active: false };
  const say = tab(
    createSession({ ...VISITOR }),
    create(GetSessionResponseSchema, { member: { ...amara, plan }, trialOffer }),
  );
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome, Amara."]);
});

test("an old member whose plan cannot be told is welcomed back, not to a trial", async () => {
  const say = tab(
    createSession({ ...VISITOR }),
    create(GetSessionResponseSchema, { member: amara, trialOffer }),
  );
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome back, Amara."]);
});

test("who comes back is welcomed back", async () => {
  const session = createSession({ ...VISITOR });
  const say = tab(
    session,
    create(GetSessionResponseSchema, { member: { ...amara, plan: { id: "p", active: true } }, trialOffer }),
  );
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome back, Amara."]);
});

test("signing out in another tab is followed and said", async () => {
  const session = createSession({ ...VISITOR, member: member() });
  const say = tab(session, create(GetSessionResponseSchema, {}));
  say("signed-out");
  await expect.poll(said).toEqual(["You are signed out."]);
  expect(session.get().member).toBeNull();
});

test("a tab that was away to sign in greets when it comes back, once", () => {
  sessionStorage.setItem(AWAY_KEY, "yes");
  tab(createSession({ ...VISITOR, member: member() }), create(GetSessionResponseSchema, {}));
  expect(said()).toEqual(["Welcome back, Amara."]);
  expect(sessionStorage.getItem(AWAY_KEY)).toBeNull();
});

const PLAN = JSON.stringify({ planId: "calm-premium", period: "year" });

test("a plan that was chosen before signing in is taken to its payment, once", async () => {
  window.history.replaceState(null, "", "/memberships");
  sessionStorage.setItem("pendingPlan", PLAN);
  const asked: string[][] = [];
  const say = tab(
    createSession({ ...VISITOR }),
    create(GetSessionResponseSchema, { member: amara }),
    ({ planId, period }) => {
      asked.push([planId, period]);
      return { orderId: "o", url: "#paying" };
    },
  );
  expect(asked).toEqual([]);
  say("signed-in");
  await expect.poll(() => window.location.hash).toBe("#paying");
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
  const before = said().length;
  say("signed-in");
  say("signed-out");
  await expect.poll(() => said().length).toBeGreaterThan(before);
  expect(asked).toEqual([["calm-premium", "year"]]);
});

test("the same where signing in was in this tab, which comes back as a member", async () => {
  window.history.replaceState(null, "", "/memberships");
  sessionStorage.setItem("pendingPlan", PLAN);
  tab(
    createSession({ ...VISITOR, member: member() }),
    create(GetSessionResponseSchema, { member: amara }),
    () => ({ orderId: "o", url: "#paying-here" }),
  );
  await expect.poll(() => window.location.hash).toBe("#paying-here");
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
});

test("a plan that cannot be paid leads to the plans with the reason, and is forgotten", async () => {
  window.history.replaceState(null, "", "/");
  sessionStorage.setItem("pendingPlan", PLAN);
  const say = tab(createSession({ ...VISITOR }), create(GetSessionResponseSchema, { member: amara }), () => {
    throw failure(Code.FailedPrecondition, "No.", "MEMBERSHIP_CURRENT", "");
  });
  say("signed-in");
  await expect.poll(() => window.location.pathname).toBe("/memberships");
  expect(window.history.state).toEqual({
    said: "You have a membership already, and nothing has been taken.",
  });
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
});
