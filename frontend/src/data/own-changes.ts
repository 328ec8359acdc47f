import type { InfiniteData, Query } from "@tanstack/react-query";
import type { ListBespokeResponse, Meditation } from "@/gen/serein/web/v1/generator_pb";
import type { Data } from "@/lib/app";

/**
 * What a member does with their own meditations, shown wherever they stand: in the lists, in the number of the bar, where one is
 * followed, and in the other tabs of this browser. It comes with the data layer, so it knows the contract by its names and types alone.
 */

/** The channel on which a tab tells the others. */
const CHANNEL = "serein-own";

interface Told {
  /** The tab that tells, and its member: a tab of another one has nothing to do with it. */
  from: string;
  uid: string;
  meditation: Meditation;
  /** What the number beside My Journey changes by. */
  counts: number;
}

/** A list as it was read, page by page. */
export type Pages = InfiniteData<ListBespokeResponse>;
type Key = { serviceName?: string; methodName?: string; input?: { deleted?: boolean } };

const keyOf = ({ queryKey }: Pick<Query, "queryKey">): Key => (queryKey[1] ?? {}) as Key;

/** The reads of one method of My Journey. */
export const ofJourney = (method: string) => ({
  predicate: (query: Query) => {
    const { serviceName, methodName } = keyOf(query);
    return serviceName === "serein.web.v1.JourneyService" && methodName === method;
  },
});

/** A list with the meditation as it is now, or without it; null where it belongs in the list and is not there. */
export function revised(list: Pages, m: Meditation, belongs: boolean): Pages | null {
  const there = list.pages.some((page) => page.meditations.some(({ id }) => id === m.id));
  if (!there) return belongs ? null : list;
  const pages = list.pages.map((page) => ({
    ...page,
    meditations: page.meditations.flatMap((each) => (each.id === m.id ? (belongs ? [m] : []) : [each])),
    total: belongs ? page.total : page.total - 1,
  }));
  return { ...list, pages };
}

export function createOwnChanges({ queryClient, session }: Data) {
  const here = crypto.randomUUID();
  const listeners = new Set<(m: Meditation) => void>();

  const show = ({ uid, meditation, counts }: Told): void => {
    const { member } = session.get();
    if (member?.uid !== uid) return;
    session.setJourneyCount(Math.max(0, member.journeyCount + counts));
    for (const query of queryClient.getQueryCache().findAll(ofJourney("ListBespoke"))) {
      const list = query.state.data as Pages | undefined;
      const marked = keyOf(query).input?.deleted === true;
      const next = list?.pages && revised(list, meditation, marked === (meditation.deletesAt !== undefined));
      if (next) queryClient.setQueryData(query.queryKey, next);
      else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
    void queryClient.invalidateQueries(ofJourney("GetJourney"));
    for (const listener of listeners) listener(meditation);
  };

  return {
    /** Calls back with each that has changed; the answer ends that. */
    subscribe: (listener: (m: Meditation) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Shows what was done in this tab, here and in the others. */
    done: (meditation: Meditation, counts: number): void => {
      const told = { from: here, uid: session.get().member?.uid ?? "", meditation, counts };
      show(told);
      const channel = new BroadcastChannel(CHANNEL);
      channel.postMessage(told);
      channel.close();
    },
    /** Shows what is done in other tabs, until the answer is called. */
    follow: () => {
      const channel = new BroadcastChannel(CHANNEL);
      channel.addEventListener("message", ({ data }: MessageEvent<Told>) => {
        if (data.from !== here) show(data);
      });
      return () => channel.close();
    },
  };
}
