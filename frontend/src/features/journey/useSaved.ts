import { useInfiniteQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import type { SavedKind } from "@/gen/serein/web/v1/generator_pb";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";

/** What the member has saved of a kind, the last first, page by page. */
export function useSaved(kind: SavedKind, search: string) {
  const query = useInfiniteQuery(
    JourneyService.method.listSaved,
    { kind, search, pageToken: "" },
    {
      pageParamKey: "pageToken",
      getNextPageParam: (last) => last.nextPageToken || undefined,
      // What was found stands until the next is there, so that nothing jumps while one types.
      placeholderData: keepPreviousData,
    },
  );
  const pages = query.data?.pages;
  return {
    ...query,
    meditations: pages?.flatMap((page) => page.meditations) ?? [],
    articles: pages?.flatMap((page) => page.articles) ?? [],
    tracks: pages?.at(0)?.tracks ?? [],
    total: pages?.at(0)?.total ?? 0,
  };
}
