import { greetings } from "@/copy/greetings";
import type { Data } from "@/data/data";
import { sessionEnded } from "@/lib/account-panel";
import { PENDING_KEY } from "@/lib/pending-plan";
import type { SessionStore } from "@/lib/session";
import { AWAY_KEY, CONFIRMED_KEY, SESSION_CHANNEL } from "@/lib/sign-in";
import { remember, remembered } from "@/lib/storage";
import { toast } from "@/ui/toast/store";

/** The trial starts by an event, moments after the first sign-in: asks again a few times until it is there. */
const PLAN_TRIES = 6;
const PLAN_PAUSE_MS = 1500;
/** Set while this tab is away to sign out; the page it comes back to says so. */
const LEAVING_KEY = "serein-signing-out";

/** A page that could not refresh still shows what it knew; the next call to the gateway tells. */
const ignore = () => undefined;

/** A word after signing in: to a newcomer, whose trial begins with it, what has begun. That no plan came says nothing: billing may be away. */
function greet(session: SessionStore): void {
  const { member, trialOffer } = session.get();
  if (!member) return;
  const confirmed = remembered("sessionStorage", CONFIRMED_KEY) !== null;
  remember("sessionStorage", CONFIRMED_KEY, null);
  const newcomer = confirmed && (member.plan === null || member.plan.trial);
  const welcome = newcomer ? greetings.welcome(member.givenName) : greetings.welcomeBack(member.givenName);
  // A mailbox has one trial: that of its second account has ended before it began.
  const begun = newcomer && (member.plan === null || member.plan.active);
  toast(begun ? `${welcome} ${greetings.trialBegun(trialOffer)}` : welcome);
}

/** The word for a tab that was away at the sign-in or sign-out page. */
function greetOnReturn(session: SessionStore): void {
  const signedIn = remembered("sessionStorage", AWAY_KEY) !== null && session.get().member;
  const signedOut = remembered("sessionStorage", LEAVING_KEY) !== null && !session.get().member;
  remember("sessionStorage", AWAY_KEY, null);
  remember("sessionStorage", LEAVING_KEY, null);
  if (signedIn) greet(session);
  if (signedOut) toast(greetings.signedOut);
}

/** Keeps every open tab in step about who is signed in. */
export function watchTabs(session: SessionStore, data: () => Promise<Data>) {
  const refresh = async (tries = PLAN_TRIES): Promise<void> => {
    const { refreshSession } = await import("@/data/session");
    await refreshSession(await data());
    const { member } = session.get();
    if (member && !member.plan && tries > 0)
      setTimeout(() => void refresh(tries - 1).catch(ignore), PLAN_PAUSE_MS);
  };
  /** What was chosen before there was an account is paid now. */
  const startPending = async () => {
    if (!session.get().member || remembered("sessionStorage", PENDING_KEY) === null) return;
    const { startPlan } = await import("@/data/start-plan");
    await startPlan(await data());
  };
  const onSignedIn = async () => {
    const before = session.get().member;
    await refresh();
    sessionEnded.set(false);
    if (!before) greet(session);
    await startPending();
  };
  const onSignedOut = async () => {
    if (session.get().member) toast(greetings.signedOut);
    // First what is kept goes, or the visitor's own reads, which begin at once, would go with it.
    await data().then(({ queryClient }) => queryClient.clear(), ignore);
    session.becomeVisitor();
  };
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.addEventListener("message", (event: MessageEvent<{ type?: string } | null>) => {
    if (event.data?.type === "signed-in") void onSignedIn().catch(ignore);
    if (event.data?.type === "signed-out") void onSignedOut().catch(ignore);
  });
  // A page out of the back-forward cache may be older than the session.
  const onShow = (event: PageTransitionEvent) => event.persisted && void refresh(0).catch(ignore);
  window.addEventListener("pageshow", onShow);
  if (session.get().member && !session.get().member?.plan)
    setTimeout(() => void refresh().catch(ignore), PLAN_PAUSE_MS);
  greetOnReturn(session);
  void startPending().catch(ignore);
  return {
    /** Ends the session here and everywhere, then opens the page the server names. */
    signOut: async () => {
      const [{ runWrite }, { SIGN_OUT }] = await Promise.all([
        import("@/data/mutation"),
        import("@/data/session"),
      ]);
      const { answer } = await runWrite(await data(), SIGN_OUT, {});
      if (!answer) return toast(greetings.signOutFailed, "info");
      remember("sessionStorage", LEAVING_KEY, "yes");
      channel.postMessage({ type: "signed-out" });
      window.location.assign(answer.redirectUrl || "/");
    },
    close: () => {
      channel.close();
      window.removeEventListener("pageshow", onShow);
    },
  };
}
