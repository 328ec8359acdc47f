import type { Data } from "@/data/data";
import { closeAccountPanel } from "@/lib/account-panel";
import type { SessionStore } from "@/lib/session";
import { SESSION_CHANNEL } from "@/lib/sign-in";

/** The trial starts by an event, moments after the first sign-in: asks again a few times until it is there. */
const PLAN_TRIES = 6;
const PLAN_PAUSE_MS = 1500;

/** A page that could not refresh still shows what it knew; the next call to the gateway tells. */
const ignore = () => undefined;

/** Keeps every open tab in step about who is signed in. Answers with the word to the others, and an end. */
export function watchTabs(session: SessionStore, data: () => Promise<Data>) {
  const refresh = async (tries = PLAN_TRIES): Promise<void> => {
    const { refreshSession } = await import("@/data/session");
    await refreshSession(await data());
    const { member } = session.get();
    if (member && !member.plan && tries > 0)
      setTimeout(() => void refresh(tries - 1).catch(ignore), PLAN_PAUSE_MS);
  };
  const onSignedIn = async () => {
    await refresh();
    if (session.get().member) closeAccountPanel();
  };
  const onSignedOut = async () => {
    session.becomeVisitor();
    (await data()).queryClient.clear();
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
  return {
    tellSignedOut: () => channel.postMessage({ type: "signed-out" }),
    close: () => {
      channel.close();
      window.removeEventListener("pageshow", onShow);
    },
  };
}
