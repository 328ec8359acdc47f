import { useInfiniteQuery } from "@connectrpc/connect-query";
import { foundByPages } from "@/data/query";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";

/**
 * The member's bespoke meditations, newest first, page by page, or those that are marked deleted, the last one first; those that a search
 * finds, the best match first.
 */
export function useBespoke(search: string, deleted = false) {
  const query = useInfiniteQuery(
    JourneyService.method.listBespoke,
    { pageToken: "", search, deleted },
    foundByPages,
  );
  const pages = query.data?.pages;
  return {
    ...query,
    meditations: pages?.flatMap((page) => page.meditations),
    total: pages?.at(0)?.total ?? 0,
  };
}
