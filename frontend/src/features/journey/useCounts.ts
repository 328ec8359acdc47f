import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { JourneyService } from "@/gen/serein/web/v1/generator_pb";
import type { TabId } from "./useTab";

/** How much each tab has, of what is searched for; undefined where that is not known. */
export function useCounts(search: string): Partial<Record<TabId, number | undefined>> {
  const { data } = useQuery(
    JourneyService.method.getJourney,
    { search },
    { placeholderData: keepPreviousData },
  );
  return {
    introduction: data?.introductions,
    bespoke: data?.bespoke,
    library: data?.library,
    articles: data?.articles,
    deleted: data?.deleted,
  };
}
