import { create } from "@bufbuild/protobuf";
import { Code, createRouterTransport } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { createData } from "@/data/data";
import { runWrite } from "@/data/mutation";
import { SIGN_OUT } from "@/data/session";
import type { CheckoutRequest } from "@/gen/serein/web/v1/basket_pb";
import { BasketService } from "@/gen/serein/web/v1/basket_pb";
import type { GetSessionResponse } from "@/gen/serein/web/v1/session_pb";
import { GetSessionResponseSchema, PlanKind, SessionService } from "@/gen/serein/web/v1/session_pb";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { AWAY_KEY, CONFIRMED_KEY, SESSION_CHANNEL } from "@/lib/sign-in";
import { leftUntil } from "@/lib/left";
import { userFetchFailed } from "@/lib/user-fetch";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { toaster } from "@/ui/toast/store";
import { patternAt } from "./routes";
import { watchTabs } from "./tabs";

/** A visitor, as the gateway says with the page. */
const KNOWN = { ...VISITOR, serverTime: Date.UTC(2026, 10, 27) };
const amara = { uid: "u", givenName: "Amara" };
const trialOffer = { days: 5, invitedDays: 9, credits: 3n };
const ends: (() => void)[] = [];

/** A tab whose server says this of who is signed in, and the word that another tab can say. */
function tab(
  session: ReturnType<typeof createSession>,
  answer: GetSessionResponse | (() => GetSessionResponse),
  checkout: (request: CheckoutRequest) => { orderId: string; url: string } = () => {
    throw new Error("nobody pays");
  },
) {
  const data = createData(
    session,
    createRouterTransport(({ rpc }) => {
      rpc(SessionService.method.getSession, () => (typeof answer === "function" ? answer() : answer));
      rpc(BasketService.method.checkout, checkout);
    }),
  );
  const tabs = watchTabs(session, () => Promise.resolve(data), patternAt);
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

test("a member who has just confirmed an account is welcomed once, with the server's figures of the trial", async () => {
  sessionStorage.setItem(CONFIRMED_KEY, "yes");
  const session = createSession(KNOWN);
  const say = tab(session, create(GetSessionResponseSchema, { member: amara, trialOffer }));
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome, Amara. Your five days and three credits have begun."]);
  expect(session.get().member?.givenName).toBe("Amara");
  expect(sessionStorage.getItem(CONFIRMED_KEY)).toBeNull();
});

test("a member who had a trial under another address of the mailbox is welcomed without a word of a trial", async () => {
  sessionStorage.setItem(CONFIRMED_KEY, "yes");
  const plan = { id: "p", kind: PlanKind.TRIAL, active: false };
  const say = tab(
    createSession(KNOWN),
    create(GetSessionResponseSchema, { member: { ...amara, plan }, trialOffer }),
  );
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome, Amara."]);
});

test("an old member whose plan cannot be told is welcomed back, not to a trial", async () => {
  const say = tab(createSession(KNOWN), create(GetSessionResponseSchema, { member: amara, trialOffer }));
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome back, Amara."]);
});

test("who comes back is welcomed back", async () => {
  const session = createSession(KNOWN);
  const say = tab(
    session,
    create(GetSessionResponseSchema, { member: { ...amara, plan: { id: "p", active: true } }, trialOffer }),
  );
  say("signed-in");
  await expect.poll(said).toEqual(["Welcome back, Amara."]);
});

test("signing out in another tab is followed and said", async () => {
  const session = createSession({ ...KNOWN, member: member() });
  const say = tab(session, create(GetSessionResponseSchema, {}));
  say("signed-out");
  await expect.poll(said).toEqual(["You’re signed out."]);
  expect(session.get().member).toBeNull();
});

test("signing out leaves nothing in any tab of what was written there, and takes nothing of the browser's own", async () => {
  const written = [
    "serein-draft",
    "serein-contact",
    "serein-searches",
    "serein-editor-new-article",
    "pendingPlan",
    "later",
  ];
  const stays = ["serein-entered", "serein-reloaded"];
  localStorage.setItem("serein-theme", "dark");
  const session = createSession({ ...KNOWN, member: member() });
  const say = tab(session, create(GetSessionResponseSchema, {}));
  for (const key of [...written, ...stays]) sessionStorage.setItem(key, "{}");
  say("signed-out");
  await expect.poll(() => session.get().member).toBeNull();
  expect(Object.keys(sessionStorage).toSorted()).toEqual(stays.toSorted());
  expect(localStorage.getItem("serein-theme")).toBe("dark");
  localStorage.removeItem("serein-theme");
});

test("the tab that signs out drops what was written in it with the answer, and not before", async () => {
  const data = createData(
    createSession({ ...KNOWN, member: member() }),
    createRouterTransport(({ rpc }) => {
      rpc(SessionService.method.signOut, () => {
        if (away) throw failure(Code.Unavailable, "away", "SESSION_UNCERTAIN", "");
        return { redirectUrl: "" };
      });
    }),
  );
  let away = true;
  sessionStorage.setItem("serein-draft", "{}");
  await runWrite(data, SIGN_OUT, {});
  expect(sessionStorage.getItem("serein-draft"), "nobody was signed out").toBe("{}");
  away = false;
  await runWrite(data, SIGN_OUT, {});
  expect(sessionStorage.getItem("serein-draft")).toBeNull();
});

test("a tab that was away to sign in greets when it comes back, once", () => {
  sessionStorage.setItem(AWAY_KEY, "yes");
  tab(createSession({ ...KNOWN, member: member() }), create(GetSessionResponseSchema, {}));
  expect(said()).toEqual(["Welcome back, Amara."]);
  expect(sessionStorage.getItem(AWAY_KEY)).toBeNull();
});

test("a tab that was away from a shared meditation to sign in comes back to it", () => {
  for (const [from, to] of [
    ["/", "/shared/AbCdEf"],
    ["/about", "/about"],
  ] as const) {
    window.history.replaceState(null, "", from);
    sessionStorage.setItem(AWAY_KEY, "/shared/AbCdEf");
    tab(createSession({ ...KNOWN, member: member() }), create(GetSessionResponseSchema, {}));
    expect(window.location.pathname).toBe(to);
    expect(sessionStorage.getItem(AWAY_KEY)).toBeNull();
  }
  window.history.replaceState(null, "", "/");
});

const PLAN = JSON.stringify({ planId: "calm-premium", period: "year" });

test("a plan that was chosen before signing in is taken to its payment, once", async () => {
  window.history.replaceState(null, "", "/memberships");
  sessionStorage.setItem("pendingPlan", PLAN);
  const asked: string[][] = [];
  const say = tab(
    createSession(KNOWN),
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
    createSession({ ...KNOWN, member: member() }),
    create(GetSessionResponseSchema, { member: amara }),
    () => ({ orderId: "o", url: "#paying-here" }),
  );
  await expect.poll(() => window.location.hash).toBe("#paying-here");
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
});

test("a plan that cannot be paid leads to the plans with the reason, and is forgotten", async () => {
  window.history.replaceState(null, "", "/");
  sessionStorage.setItem("pendingPlan", PLAN);
  const say = tab(createSession(KNOWN), create(GetSessionResponseSchema, { member: amara }), () => {
    throw failure(Code.FailedPrecondition, "No.", "MEMBERSHIP_CURRENT", "");
  });
  say("signed-in");
  await expect.poll(() => window.location.pathname).toBe("/memberships");
  expect(window.history.state).toEqual({
    said: "You already have a membership, and you haven’t been charged.",
  });
  expect(sessionStorage.getItem("pendingPlan")).toBeNull();
});

test("a member who signed in and could not be fetched is a visitor until a retry succeeds, and is greeted only then", async () => {
  let away = true;
  const session = createSession(KNOWN);
  leftUntil.set(1);
  const say = tab(session, () => {
    if (away) throw failure(Code.Unavailable, "away", "SESSION_UNCERTAIN", "");
    return create(GetSessionResponseSchema, { member: amara, trialOffer });
  });
  say("signed-in");
  await expect.poll(() => userFetchFailed.get()).not.toBeNull();
  expect(said()).toEqual([]);
  away = false;
  userFetchFailed.get()?.();
  await expect.poll(said).toEqual(["Welcome back, Amara."]);
  expect(userFetchFailed.get()).toBeNull();
  expect(session.get().member?.givenName).toBe("Amara");
  expect(leftUntil.get()).toBe(0);
});

test("a member whom nobody can fetch just now stays one: only a session that is gone makes a visitor", async () => {
  const session = createSession({ ...KNOWN, member: member() });
  const say = tab(session, () => {
    throw failure(Code.Unavailable, "away", "SESSION_UNCERTAIN", "");
  });
  say("signed-in");
  await expect.poll(() => userFetchFailed.get()).not.toBeNull();
  expect(session.get().member?.givenName).toBe("Amara");
  userFetchFailed.set(null);
});

test("where the gateway could not say who is signed in, it is asked before the page is shown", async () => {
  const session = createSession(VISITOR);
  const data = createData(
    session,
    createRouterTransport(({ rpc }) =>
      rpc(SessionService.method.getSession, () =>
        create(GetSessionResponseSchema, { member: amara, trialOffer }),
      ),
    ),
  );
  const tabs = watchTabs(session, () => Promise.resolve(data), patternAt);
  ends.push(tabs.close);
  await tabs.known;
  expect(session.get().member?.givenName).toBe("Amara");
  expect(userFetchFailed.get()).toBeNull();
});
