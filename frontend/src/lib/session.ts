import type { Credits, Member, Session } from "./boot";
import { VISITOR } from "./boot";
import { setServerTime } from "./clock";
import { createStore, useStore } from "./store";

/** The one place that knows who is signed in. Filled from the page's boot data, then from SessionService. */
const store = createStore<Session>(VISITOR);

export const getSession = store.get;
export const onSession = store.subscribe;

export function setSession(next: Session): void {
  if (next.serverTime) setServerTime(next.serverTime);
  store.set(next);
}

/** Forgets the member: after signing out, or when the server no longer knows the session. */
export function becomeVisitor(): void {
  if (store.get().member) store.set({ ...store.get(), member: null });
}

function patchMember(patch: Partial<Member>): void {
  const session = store.get();
  if (session.member) store.set({ ...session, member: { ...session.member, ...patch } });
}

/** Shows a balance that came with another answer (generate, watch, cancel). */
export const setCredits = (credits: Credits): void => patchMember({ credits });
export const setJourneyCount = (journeyCount: number): void => patchMember({ journeyCount });

export const useSession = (): Session => useStore(store);
export const useMember = (): Member | null => useStore(store).member;
