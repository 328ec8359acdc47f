import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { hashKey, keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toUserError } from "@/data/errors";
import { errors } from "@/copy/errors";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { SearchGroup } from "@/gen/serein/web/v1/search_pb";
import { SearchService } from "@/gen/serein/web/v1/search_pb";

/** What is asked for: words, a category's id, or both. With neither it is the categories alone. */
export interface Asked {
  text: string;
  category: string;
}

export const KINDS = [
  { id: "bespoke", kind: ItemKind.BESPOKE },
  { id: "articles", kind: ItemKind.ARTICLE },
  { id: "meditations", kind: ItemKind.MEDITATION },
] as const;

const groupOf = (groups: readonly SearchGroup[] | undefined, kind: ItemKind) =>
  groups?.find((group) => group.kind === kind);

/** The first page of each kind. What was found before stands until the next has come. */
export function useFind({ text, category }: Asked) {
  const { data, error, refetch, fetchStatus, isPlaceholderData } = useQuery(
    SearchService.method.search,
    { text, category },
    { placeholderData: keepPreviousData },
  );
  const groups = KINDS.map(({ id, kind }) => {
    const group = groupOf(data?.groups, kind);
    return { id, kind, group, total: group?.total ?? 0 };
  });
  const courses = data?.courses ?? [];
  const total = groups.reduce((sum, group) => sum + group.total, courses.length);
  const late = isPlaceholderData || !data;
  // Without a line the call waits for it, and is made by itself then.
  const waits = late && fetchStatus === "paused";
  return {
    groups,
    courses,
    /** Of everything that was found. */
    total,
    categories: data?.categories,
    /** What is shown is the answer to what is asked. */
    settled: !late,
    trouble: waits ? { ...errors.offline, retry: false } : error && toUserError(error),
    retry: () => void refetch(),
    refetch,
    asking: fetchStatus === "fetching",
  };
}

export type Find = ReturnType<typeof useFind>;

/** The pages of a kind after the first, once they are asked for. */
export function useMore({ text, category }: Asked, group: SearchGroup, find: Find) {
  const [wanted, want] = useState(false);
  const { refetch: refetchFirst, asking } = find;
  const query = useInfiniteQuery(
    SearchService.method.search,
    { text, category, kind: group.kind, pageToken: group.nextPageToken },
    {
      pageParamKey: "pageToken",
      getNextPageParam: (last) => groupOf(last.groups, group.kind)?.nextPageToken || undefined,
      enabled: wanted,
      // They go on from this first page, and from no other.
      queryKeyHashFn: (key) => hashKey([key, group.nextPageToken]),
    },
  );
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  // The first page is of another release: it is asked for again, and more goes on from there.
  const refused = error !== null && toUserError(error).reason === "PAGE_TOKEN_INVALID";
  useEffect(() => {
    if (refused) void refetchFirst();
  }, [refused, refetchFirst]);
  const pages = data?.pages.map((page) => groupOf(page.groups, group.kind)?.matches ?? []) ?? [];
  return {
    matches: [...group.matches, ...pages.flat()],
    hasMore: group.nextPageToken !== "" && (data ? hasNextPage : true),
    isFetching: wanted && isFetching,
    trouble: refused && asking ? null : error && toUserError(error),
    next: () => {
      want(true);
      if (data) void fetchNextPage();
    },
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}
