import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { healing } from "@/data/query";
import { repeated } from "@/data/repeat";
import type { Made } from "@/gen/serein/web/v1/studio_pb";
import { StudioService } from "@/gen/serein/web/v1/studio_pb";
import { isUnderWay } from "./model";

/** How it is asked while something is being narrated: for half an hour after the last passage. */
const NARRATING = { firstMs: 2_000, mostMs: 10_000, times: 150 };

/** What was made here and is being narrated or waits for being verified, newest first. */
export function useMade() {
  const query = useInfiniteQuery(
    StudioService.method.listMade,
    { pageToken: "" },
    {
      pageParamKey: "pageToken",
      getNextPageParam: (last) => last.nextPageToken || undefined,
      refetchInterval: (read) =>
        read.state.data?.pages.some((page) => page.made.some(isUnderWay))
          ? repeated(read, NARRATING)
          : healing(read),
    },
  );
  const pages = query.data?.pages;
  return { ...query, made: pages?.flatMap((page) => page.made), unverified: pages?.[0]?.unverified };
}

/**
 * Follows what was just made, by its id. It is `gone` once a list that was asked for later has it no more: an article that
 * is narrated, a meditation that somebody has judged. What is known of it stays.
 */
export function useFollowed(id: string) {
  const { made: list, dataUpdatedAt } = useMade();
  const [begun, set] = useState<{ made: Made; at: number } | null>(null);
  const listed = list?.find((m) => m.item?.id === id);
  const known = begun?.made.item?.id === id ? begun : null;
  const gone = list !== undefined && !listed && dataUpdatedAt > (known?.at ?? 0);
  return { made: listed ?? known?.made, gone, begin: (made: Made) => set({ made, at: Date.now() }) };
}
