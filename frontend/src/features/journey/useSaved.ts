import { useInfiniteQuery } from "@connectrpc/connect-query";
import { foundByPages } from "@/data/query";
import type { SavedKind } from "@/gen/serein/web/v1/generator_pb";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";

/** What the member has saved of a kind, the last first, page by page. */
export function useSaved(kind: SavedKind, search: string) {
  const query = useInfiniteQuery(
    JourneyService.method.listSaved,
    { kind, search, pageToken: "" },
    foundByPages,
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
