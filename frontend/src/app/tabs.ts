import type { PatternAt } from "./routes";
import { asksNotToBeCounted } from "@/lib/do-not-count";
import { greetings } from "@/copy/greetings";
import type { Data } from "@/lib/app";
import { sessionEnded } from "@/lib/account-panel";
import { whenIdle } from "@/lib/idle";
import { jittered } from "@/lib/jitter";
import { leftUntil } from "@/lib/left";
import { PENDING_KEY, planPending } from "@/lib/pending-plan";
import { paths } from "@/lib/paths";
import { goTo } from "@/lib/router";
import type { SessionStore } from "@/lib/session";
import { AWAY_KEY, CONFIRMED_KEY, isSecretPath, SESSION_CHANNEL } from "@/lib/sign-in";
import { remember, remembered } from "@/lib/storage";
import { userFetchFailed } from "@/lib/user-fetch";
import { toast } from "@/ui/toast/store";

/** The trial starts by an event, moments after the first sign-in: asks again a few times until it is there. */
const PLAN_TRIES = 6;
const PLAN_PAUSE_MS = 1500;
/** Set while this tab is away to sign out; the page it comes back to says so. */
const LEAVING_KEY = "serein-signing-out";

/** A page that could not refresh still shows what it knew; the next call to the gateway tells. */
const ignore = () => undefined;

/** What this tab has kept, once. */
function taken(key: string): string | null {
  const was = remembered("sessionStorage", key);
  remember("sessionStorage", key, null);
  return was;
}

/** A word after signing in: to a newcomer, whose trial begins with it, what has begun. That no plan came says nothing: billing may be away. */
function greet(session: SessionStore): void {
  const { member, trialOffer } = session.get();
  if (!member) return;
  const newcomer = taken(CONFIRMED_KEY) && (!member.plan || member.plan.trial);
  const welcome = newcomer ? greetings.welcome(member.givenName) : greetings.welcomeBack(member.givenName);
  // A mailbox has one trial: that of its second account has ended before it began.
  const begun = newcomer && (!member.plan || member.plan.active);
  toast(begun ? `${welcome} ${greetings.trialBegun(trialOffer)}` : welcome);
}

/** The word for a tab that was away at the sign-in or sign-out page. */
function greetOnReturn(session: SessionStore): void {
  const away = taken(AWAY_KEY);
  const signedIn = away && session.get().member;
  const signedOut = taken(LEAVING_KEY) && !session.get().member;
  if (away && isSecretPath(away) && window.location.pathname === paths.home) goTo(away, { replace: true });
  if (signedIn) greet(session);
  if (signedOut) toast(greetings.signedOut);
}

/** Keeps every open tab in step about who is signed in. */
export function watchTabs(session: SessionStore, data: () => Promise<Data>, patternAt: PatternAt) {
  const refresh = async (tries = PLAN_TRIES): Promise<void> => {
    const { refreshSession } = await import("@/data/session");
    await refreshSession(await data());
    const { member } = session.get();
    if (member && !member.plan && tries > 0)
      setTimeout(() => void refresh(tries - 1).catch(ignore), jittered(PLAN_PAUSE_MS));
  };
  /** What was chosen before there was an account is paid now. */
  const startPending = async () => {
    if (!session.get().member || !remembered("sessionStorage", PENDING_KEY)) return;
    const { startPlan } = await import("@/data/start-plan");
    await startPlan(await data());
  };
  /** Reads the session. If that fails, the known session stays and `userFetchFailed` offers to try again. */
  const fetchUser = async (): Promise<boolean> => {
    userFetchFailed.set(null);
    try {
      await refresh();
    } catch {
      userFetchFailed.set(() => void onSignedIn().catch(ignore));
    }
    return !userFetchFailed.get();
  };
  const onSignedIn = async (): Promise<void> => {
    const before = session.get().member;
    if (!(await fetchUser())) return;
    sessionEnded.set(false);
    leftUntil.set(0);
    if (!before) greet(session);
    await startPending();
  };
  /** What a member keeps on this device goes when they sign out, or delete their account. */
  const clearKept = async () => {
    const [made, leaving] = await Promise.all([data(), import("./leaving-kept")]);
    await leaving.clearKept(made);
  };
  const onSignedOut = async () => {
    if (session.get().member) toast(greetings.signedOut);
    // First what is kept goes, or the visitor's own reads, which begin at once, would go with it.
    await data().then((made) => made.forget(), ignore);
    session.becomeVisitor();
    await clearKept();
  };
  // Pages are counted of those alone who have agreed to it: for nobody else does even the code of it come.
  let endCount: (() => void) | undefined;
  let counting = false;
  const count = () => {
    if (counting || !session.get().member?.analytics || asksNotToBeCounted()) return;
    counting = true;
    const over = () => void (counting = false);
    void import("./usage").then(
      ({ countPages }) => (endCount = countPages(session, data, patternAt, over)),
      over,
    );
  };
  const endFollowing = session.subscribe(count);
  count();
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.addEventListener(
    "message",
    (event: MessageEvent<{ type?: string; analytics?: boolean } | null>) => {
      const type = event.data?.type;
      if (type === "consents") session.setConsentsGiven(event.data?.analytics === true);
      if (type === "signed-in") void onSignedIn().catch(ignore);
      if (type === "signed-out") void onSignedOut().catch(ignore);
    },
  );
  // A page out of the back-forward cache may be older than the session.
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    planPending.set(false);
    void refresh(0).catch(ignore);
  };
  window.addEventListener("pageshow", onShow);
  if (session.get().member && !session.get().member?.plan)
    setTimeout(() => void refresh().catch(ignore), jittered(PLAN_PAUSE_MS));
  // Something was kept here once.
  if (navigator.serviceWorker?.controller)
    whenIdle(() => {
      void Promise.all([data(), import("./kept-here")]).then(([made, here]) => here.followKept(made), ignore);
    });
  greetOnReturn(session);
  void startPending().catch(ignore);
  return {
    known: session.get().serverTime ? undefined : fetchUser(),
    /** Ends the session here and everywhere, then opens the page the server names. */
    signOut: async () => {
      const [{ runWrite }, { SIGN_OUT }, { mayLeave }] = await Promise.all([
        import("@/data/mutation"),
        import("@/data/session"),
        import("./leaving-kept"),
      ]);
      if (!(await mayLeave(await data()))) return;
      const { answer } = await runWrite(await data(), SIGN_OUT, {});
      if (!answer) return toast(greetings.signOutFailed, "info");
      await clearKept().catch(ignore);
      remember("sessionStorage", LEAVING_KEY, "yes");
      channel.postMessage({ type: "signed-out" });
      window.location.assign(answer.redirectUrl || "/");
    },
    close: () => {
      channel.close();
      endFollowing();
      endCount?.();
      window.removeEventListener("pageshow", onShow);
    },
  };
}
