import { shell } from "@/copy/shell";
import { closeAccountPanel } from "@/lib/account-panel";
import { becomeVisitor, getSession } from "@/lib/session";
import { SESSION_CHANNEL } from "@/lib/sign-in";
import { toast } from "@/ui/toast/store";

/** Keeps every open tab in step about who is signed in. */

const loadSession = () => import("@/data/session");

/** The trial starts by an event, moments after the first sign-in: asks again a few times until it is there. */
const PLAN_TRIES = 6;
const PLAN_PAUSE_MS = 1500;

async function refresh(tries = PLAN_TRIES): Promise<void> {
  await (await loadSession()).refreshSession();
  const { member } = getSession();
  if (member && !member.plan && tries > 0)
    setTimeout(() => void refresh(tries - 1).catch(ignore), PLAN_PAUSE_MS);
}

/** A page that could not refresh still shows what it knew; the next call to the gateway tells. */
const ignore = () => undefined;

async function onSignedIn(): Promise<void> {
  await refresh();
  if (getSession().member) closeAccountPanel();
}

async function onSignedOut(): Promise<void> {
  becomeVisitor();
  (await loadSession()).forgetAnswers();
}

let channel: BroadcastChannel | undefined;

export function watchTabs(): void {
  channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.addEventListener("message", (event: MessageEvent<{ type?: string } | null>) => {
    if (event.data?.type === "signed-in") void onSignedIn().catch(ignore);
    if (event.data?.type === "signed-out") void onSignedOut().catch(ignore);
  });
  // A page out of the back-forward cache may be older than the session.
  window.addEventListener("pageshow", (event) => event.persisted && void refresh(0).catch(ignore));
  if (getSession().member && !getSession().member?.plan)
    setTimeout(() => void refresh().catch(ignore), PLAN_PAUSE_MS);
}

/** Ends the session here and everywhere, then opens the page the server names. */
export async function signOut(): Promise<void> {
  try {
    const address = await (await loadSession()).signOut();
    channel?.postMessage({ type: "signed-out" });
    window.location.assign(address || "/");
  } catch {
    toast(shell.signOutFailed, "info");
  }
}
