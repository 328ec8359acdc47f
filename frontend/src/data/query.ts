import { Code, ConnectError } from "@connectrpc/connect";
import type { InfiniteData, Query } from "@tanstack/react-query";
import { keepPreviousData, QueryCache, QueryClient } from "@tanstack/react-query";
import { toTrouble, wasLost } from "./errors";

/** How long an answer counts as fresh. */
const STALE_MS = 15_000;

/** What may pass in a moment. A call that was waited for in vain is ended with words and a way to try again. */
const AGAIN = new Set([Code.Unavailable]);

/** Until something that is shown, and could not be brought up to date, is asked for again. */
const HEAL_MS = 10_000;

/**
 * The refetch interval of every read: a failed refetch leaves the shown answer as it is, but a member's own likes may be missing
 * from the copy that came with the page. A read that sets its own interval falls back on this one.
 */
export const healing = ({ state: { data, error, status } }: Pick<Query, "state">): number | false =>
  status === "error" && data !== undefined && wasLost(error) ? HEAL_MS : false;

/** How a list that the gateway answers by pages is read. */
export const byPages = {
  pageParamKey: "pageToken",
  getNextPageParam: (last: { nextPageToken: string }) => last.nextPageToken || undefined,
} as const;

/** The same for a list that is searched: what was found stands until the next has come, so that nothing jumps while one types. */
export const foundByPages = { ...byPages, placeholderData: keepPreviousData } as const;

/** For so long a list that has begun again does not do so another time: it would never end while every token is refused. */
const BEGIN_AGAIN_MS = 60_000;

/**
 * The server refuses page tokens of another release. The list then begins again at its first page: its pages stay, without a
 * next page, until all of them have been read again.
 */
function createBeginAgain(): (cause: unknown, query: Query<unknown, unknown>) => void {
  const begun = new WeakMap<object, number>();
  return (cause, query) => {
    const data = query.state.data as InfiniteData<object> | undefined;
    if (!data?.pages || toTrouble(cause).reason !== "PAGE_TOKEN_INVALID") return;
    if (Date.now() - (begun.get(query) ?? 0) < BEGIN_AGAIN_MS) return;
    begun.set(query, Date.now());
    const pages = data.pages.map((page) => ({ ...page, nextPageToken: "" }));
    query.setState({ status: "success", error: null, data: { ...data, pages } });
    // A failure is in the query's state.
    query.fetch().catch(() => {});
  };
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: createBeginAgain() }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, cause) => failures < 2 && AGAIN.has(ConnectError.from(cause).code),
        refetchInterval: healing,
      },
    },
  });
  // By itself it asks again only where it saw the line go, and a page that was opened without one saw nothing.
  const heal = () =>
    client.refetchQueries(
      { type: "active", predicate: ({ state }) => state.status === "error" },
      { cancelRefetch: false },
    );
  globalThis.addEventListener?.("online", () => void heal());
  return client;
}
