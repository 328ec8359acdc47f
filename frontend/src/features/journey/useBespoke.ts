import { useInfiniteQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";

/** The member's bespoke meditations, newest first, page by page; those that a search finds, the best match first. */
export function useBespoke(search: string) {
  const query = useInfiniteQuery(
    JourneyService.method.listBespoke,
    { pageToken: "", search },
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
    meditations: pages?.flatMap((page) => page.meditations),
    total: pages?.at(0)?.total ?? 0,
  };
}
