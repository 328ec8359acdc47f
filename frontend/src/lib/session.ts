import { createContext, useContext, useSyncExternalStore } from "react";
import type { Credits, Member, Session, TrialOffer } from "./boot";
import { VISITOR } from "./boot";
import { setServerTime } from "./clock";
import { createStore } from "./store";

/** The one place that knows who is signed in. Filled from the page's boot data, then from SessionService. */
export interface SessionStore {
  get: () => Session;
  subscribe: (listener: () => void) => () => void;
  set: (next: Session) => void;
  /** Forgets the member: after signing out, or when the server no longer knows the session. */
  becomeVisitor: () => void;
  /** Shows a balance that came with another answer (generate, watch, cancel). */
  setCredits: (credits: Credits) => void;
  setJourneyCount: (journeyCount: number) => void;
  /** Essentials and terms have been agreed to, and this was said of analytics. */
  setConsentsGiven: (analytics: boolean) => void;
  /** The gateway counts nothing more of this member. */
  endAnalytics: () => void;
}

export function createSession(first: Session = VISITOR): SessionStore {
  const store = createStore(first);
  const patch = (part: Partial<Member>): void => {
    const session = store.get();
    if (session.member) store.set({ ...session, member: { ...session.member, ...part } });
  };
  if (first.serverTime) setServerTime(first.serverTime);
  return {
    get: store.get,
    subscribe: store.subscribe,
    set: (next) => {
      if (next.serverTime) setServerTime(next.serverTime);
      store.set(next);
    },
    becomeVisitor: () => {
      if (store.get().member) store.set({ ...store.get(), member: null });
    },
    setCredits: (credits) => patch({ credits }),
    setJourneyCount: (journeyCount) => patch({ journeyCount }),
    setConsentsGiven: (analytics) => patch({ consentsMissing: false, analytics }),
    endAnalytics: () => patch({ analytics: false }),
  };
}

/** Calls back when another member comes, or none; the answer ends that. */
export function onMemberChange(session: SessionStore, run: () => void): () => void {
  let uid = session.get().member?.uid;
  return session.subscribe(() => {
    const now = session.get().member?.uid;
    if (now === uid) return;
    uid = now;
    run();
  });
}

/** The session of this page; app/Providers gives it. */
export const SessionContext = createContext<SessionStore | null>(null);

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error("useSession stands outside Providers");
  return store;
}

/** The build writes its markup for a visitor, so hydration starts from a visitor's session. */
const getServerSnapshot = (): Session => VISITOR;

export function useSession(): Session {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.get, getServerSnapshot);
}

/**
 * One part of the session. Taken over for a visitor it is what the markup shows already: what follows it is not rendered
 * a second time at once, as it is with the whole session, whose clock the build does not know.
 */
function useSessionPart<Part extends keyof Session>(part: Part): Session[Part] {
  const store = useSessionStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.get()[part],
    () => VISITOR[part],
  );
}

export const useTrialOffer = (): TrialOffer | null => useSessionPart("trialOffer");

export const useMember = (): Member | null => useSessionPart("member");
