import type { OpenPanel } from "@/lib/account-panel";
import { askedFor, panelAt, preferencesOpen, sessionEnded } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { planPending } from "@/lib/pending-plan";
import { useBrowserLocation } from "@/lib/router";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";

/** What lies over the page about the account; one at a time. */
export type AccountView =
  | { kind: "panel"; panel: OpenPanel }
  /** `returnTo`: the page that only members may open, where there is one; else the session has run out on this one. */
  | { kind: "ended"; returnTo: string }
  /** `must`: essentials or terms are missing, and there is no way past it. */
  | { kind: "consents"; must: boolean };

/** The texts can be read before they are agreed to, and the helplines and our address by everybody. */
const READABLE: readonly string[] = [paths.terms, paths.privacy, paths.contact];

/** What is asked for now, or null. */
export function useAccountView(): AccountView | null {
  const location = useBrowserLocation();
  const member = useMember();
  const ended = useStore(sessionEnded);
  const preferences = useStore(preferencesOpen);
  const toPay = useStore(planPending);
  const panel = panelAt(location);
  if (!member) {
    if (panel) return { kind: "panel", panel };
    const returnTo = askedFor(location);
    return ended || returnTo ? { kind: "ended", returnTo } : null;
  }
  // A membership that was chosen before comes first: it leads to its payment, and the question waits behind that.
  if (toPay || READABLE.includes(location.pathname)) return null;
  if (member.consentsMissing) return { kind: "consents", must: true };
  return preferences ? { kind: "consents", must: false } : null;
}
