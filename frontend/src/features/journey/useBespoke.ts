import { useInfiniteQuery } from "@connectrpc/connect-query";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";

/** The member's bespoke meditations, newest first, page by page. */
export function useBespoke() {
  const query = useInfiniteQuery(
    JourneyService.method.listBespoke,
    { pageToken: "" },
    { pageParamKey: "pageToken", getNextPageParam: (last) => last.nextPageToken || undefined },
  );
  const pages = query.data?.pages;
  return {
    ...query,
    meditations: pages?.flatMap((page) => page.meditations),
    total: pages?.at(0)?.total,
  };
}
