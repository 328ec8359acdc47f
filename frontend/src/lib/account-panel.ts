import { paths } from "./paths";
import type { PendingPlan } from "./pending-plan";
import { keepPendingPlan, planPending } from "./pending-plan";
import type { Location } from "./router";
import { goTo, stateOf, useLocation, useNavigate } from "./router";
import { createStore } from "./store";

/**
 * The account panel has an address, so that it survives a reload and a link can open it: /signup and
 * /signup/confirm?username=amara. It lies over the page it was opened from, which the history entry remembers.
 */

/** What the panel's history entry holds. A link from outside brings none of it. */
interface PanelState {
  /** The page under the panel. */
  under?: Partial<Pick<Location, "pathname" | "search" | "hash">>;
  email?: string;
  /** No code was sent: the mailbox has had its letters for now. */
  heldBack?: boolean;
  /** The account is there. "confirmed": the code was accepted just now. */
  done?: "confirmed" | "without code";
}

export interface OpenPanel {
  step: "sign-up" | "confirm" | "done";
  username: string;
  /** "" where it is not known: the person came by a link. */
  email: string;
  heldBack: boolean;
  confirmed: boolean;
}

const isPanel = (pathname: string): boolean => pathname === paths.signUp || pathname === paths.confirm;

const panelState = (location: Location): PanelState => (isPanel(location.pathname) ? stateOf(location) : {});

/** The panel at an address, or null if the address opens no panel. */
export function panelAt(location: Location): OpenPanel | null {
  if (!isPanel(location.pathname)) return null;
  const { email = "", heldBack = false, done } = panelState(location);
  const username = new URLSearchParams(location.search).get("username") ?? "";
  const step = location.pathname === paths.signUp ? "sign-up" : "confirm";
  return { step: done ? "done" : step, username, email, heldBack, confirmed: done === "confirmed" };
}

/** The page to show at an address: under a panel, the one it was opened from. */
export function pageUnder(location: Location): Location {
  if (!isPanel(location.pathname)) return location;
  return {
    ...location,
    pathname: paths.home,
    search: "",
    hash: "",
    state: null,
    ...panelState(location).under,
  };
}

const RETURN = "return_to";

/** Home, where a visitor is asked to sign in and led on to `path`; the gateway leads there too. */
export const homeAsking = (path: string): string =>
  `${paths.home}?${new URLSearchParams({ [RETURN]: path }).toString()}`;

/** The page that was asked for before home, or "". Only ever one of this site. */
export function askedFor({ pathname, search }: Location): string {
  const path = pathname === paths.home ? (new URLSearchParams(search).get(RETURN) ?? "") : "";
  return /^\/(?![/\\])/.test(path) ? path : "";
}

export const addressOf = ({ pathname, search, hash }: Location): string => pathname + search + hash;

/**
 * Leads a member from the panel to the page under it. A member who has opened the link of a membership goes to where they can
 * buy it or change to it. A membership that was chosen before signing in goes on to its payment without another press.
 */
export function leavePanel(location: Location): void {
  const query = new URLSearchParams(location.search);
  const plan = query.get("planId");
  if (!plan || planPending.get()) return goTo(addressOf(pageUnder(location)), { replace: true });
  const period = query.get("period") === "year" ? "?period=year" : "";
  goTo(paths.memberships + period, { replace: true, state: { plan } });
}

/** Opens the panel over the page, and leads through its steps. */
export function useAccountPanel() {
  const navigate = useNavigate();
  const here = useLocation();
  const { pathname, search, hash } = pageUnder(here);
  const under = { pathname, search, hash };
  const confirmPath = (username: string) =>
    `${paths.confirm}?${new URLSearchParams({ username }).toString()}`;
  const open = (plan: PendingPlan | null) => {
    keepPendingPlan(plan);
    navigate(paths.signUp, { state: { under } satisfies PanelState });
  };
  return {
    /** Where signing in leads back to. */
    returnTo: pathname + search,
    openSignUp: () => open(null),
    /** The same for who wants this membership: once signed in they are led to its payment. */
    openSignUpFor: open,
    toConfirm: (username: string, email: string, heldBack: boolean) =>
      navigate(confirmPath(username), {
        replace: true,
        state: { under, email, heldBack } satisfies PanelState,
      }),
    toDone: (username: string, done: "confirmed" | "without code") =>
      navigate(confirmPath(username), { replace: true, state: { under, done } satisfies PanelState }),
    toSignUp: () => navigate(paths.signUp, { replace: true, state: { under } satisfies PanelState }),
    close: () => {
      keepPendingPlan(null);
      navigate(pathname + search + hash, { replace: true });
    },
  };
}

/** True once the session ran out under the member: the page then asks them to sign in again. */
export const sessionEnded = createStore(false);

/** Whether the member looks at what they have agreed to. */
export const preferencesOpen = createStore(false);
