import { Code, ConnectError } from "@connectrpc/connect";
import type { InfiniteData, Query } from "@tanstack/react-query";
import { focusManager, keepPreviousData, QueryCache, QueryClient } from "@tanstack/react-query";
import { stoppedUpdating } from "@/copy/lost";
import { jittered } from "@/lib/jitter";
import { toast } from "@/ui/toast/store";
import { toUserError, wasLost } from "./errors";
import { endRun, isOver, justOver, repeated } from "./repeat";

/** How long an answer counts as fresh. */
const STALE_MS = 15_000;

/** What may pass in a moment. A call that was waited for in vain is ended with words and a way to try again. */
const AGAIN = new Set([Code.Unavailable]);

/** How a call that failed that way is made again: how often at most, and the first pause, which doubles (ms). */
const TRIES = 2;
const PAUSE_MS = 1000;

/** How something that is shown, and could not be brought up to date, is asked for again: for about 20 minutes. */
export const HEAL = { firstMs: 10_000, mostMs: 300_000, times: 10 };

/**
 * The refetch interval of every read: a failed refetch leaves the shown answer as it is, but a member's own likes may be missing
 * from the copy that came with the page. A read that sets its own interval falls back on this one.
 */
export function healing(query: Pick<Query, "state">): number | false {
  const { data, error, status } = query.state;
  if (status === "error" && data !== undefined && wasLost(error)) return repeated(query, HEAL);
  endRun(query);
  return false;
}

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
    if (!data?.pages || toUserError(cause).reason !== "PAGE_TOKEN_INVALID") return;
    if (Date.now() - (begun.get(query) ?? 0) < BEGIN_AGAIN_MS) return;
    begun.set(query, Date.now());
    const pages = data.pages.map((page) => ({ ...page, nextPageToken: "" }));
    query.setState({ status: "success", error: null, data: { ...data, pages } });
    // A failure is in the query's state.
    query.fetch().catch(() => {});
  };
}

export function createQueryClient(): QueryClient {
  const queryCache = new QueryCache({
    onError: createBeginAgain(),
    // Where nothing is shown yet, the screen says that it waits in vain.
    onSettled: (_data, _error, query) => {
      if (query.state.data !== undefined && justOver(query)) toast(stoppedUpdating, "info");
    },
  });
  const client = new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, cause) => failures < TRIES && AGAIN.has(ConnectError.from(cause).code),
        retryDelay: (failures) => jittered(PAUSE_MS * 2 ** failures),
        refetchInterval: healing,
      },
    },
  });
  /** Asks again for what is shown and was repeated to the end, and for what `also` names. */
  const resume = (also: (query: Query) => boolean = () => false) => {
    const over = new Set(queryCache.findAll({ type: "active", predicate: isOver }));
    over.forEach(endRun);
    const predicate = (query: Query) => over.has(query) || also(query);
    return client.refetchQueries({ type: "active", predicate }, { cancelRefetch: false });
  };
  // By itself it asks again only where it saw the line go, and a page that was opened without one saw nothing.
  globalThis.addEventListener?.("online", () => void resume(({ state }) => state.status === "error"));
  // Somebody looks at the page again.
  focusManager.subscribe((focused) => void (focused && resume()));
  return client;
}
