import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useEffect, useState } from "react";
import { LIBRARY_FIRST_PAGE, LIBRARY_PAGE } from "@/data/library-page";
import { foundByPages, healing } from "@/data/query";
import { repeated } from "@/data/repeat";
import { LibraryService, Sound } from "@/gen/serein/web/v1/library_pb";
import type { Filters } from "./filters";
import { isFiltered } from "./filters";

/** How it is asked while some are being narrated: for an hour after the last one that was added. */
const NARRATING = { firstMs: 15_000, mostMs: 60_000, times: 60 };

const keyOf = ({ kind, category, search, unverified }: Filters): string =>
  JSON.stringify([kind, category, search, unverified]);

/** The meditations that the filters leave: a first page, or all. */
export function useLibrary(filters: Filters) {
  const { kind, category, search, unverified } = filters;
  const [asked, setAsked] = useState("");
  const whole = asked === keyOf(filters);
  const query = useInfiniteQuery(
    LibraryService.method.listMeditations,
    {
      sound: kind === "voice" ? Sound.VOICE : Sound.IMMERSIVE,
      category,
      search,
      onlyUnverified: unverified,
      pageSize: isFiltered(filters) ? LIBRARY_PAGE : LIBRARY_FIRST_PAGE,
      pageToken: "",
    },
    {
      ...foundByPages,
      refetchInterval: (read) =>
        (read.state.data?.pages.at(-1)?.narrating ?? 0) > 0 ? repeated(read, NARRATING) : healing(read),
    },
  );
  // Each is taken by its name: the screen is drawn again when one of these changes, and not whenever anything is asked.
  const { data, error, isPending, dataUpdatedAt, refetch } = query;
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, isPlaceholderData } = query;
  // After one that failed nothing is asked by itself: it would be asked again at once, for as long as it fails.
  const goesOn = whole && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return {
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    refetch,
    meditations: data?.pages.flatMap((page) => page.meditations),
    // Counts of the last answer are the newest.
    head: data?.pages.at(-1),
    tracks: data?.pages.at(0)?.tracks ?? [],
    /** Whether the answer holds this member's own marks: the one in the page is the same for all subscribers, so it is refetched. */
    own: isPlaceholderData || dataUpdatedAt > 0,
    /** Brings every page of what these filters leave. */
    showWhole: (of: Filters) => {
      setAsked(keyOf(of));
      if (isFetchNextPageError) void fetchNextPage();
    },
  };
}
