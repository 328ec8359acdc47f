import { useEffect, useState } from "react";
import { journey as copy } from "@/copy/journey";
import { Bespoke } from "@/features/journey/Bespoke";
import { Head } from "@/features/journey/Head";
import type { Tab } from "@/features/journey/Tabs";
import { Tabs } from "@/features/journey/Tabs";
import { useBespoke } from "@/features/journey/useBespoke";
import { useLocation, useNavigate } from "@/lib/router";
import { useMiniPlayer } from "@/player/useMiniPlayer";

/** Writing into the address as fast as one types would be refused by some browsers (ms). */
const SETTLED_MS = 300;

/** The search stands in the address, so that Back, a reload and a bookmark bring it again. */
function useSearch() {
  const { pathname, search: query } = useLocation();
  const navigate = useNavigate();
  const [search, setSearch] = useState(() => new URLSearchParams(query).get("search") ?? "");
  useEffect(() => {
    const written = search.trim() ? `?${new URLSearchParams({ search: search.trim() }).toString()}` : "";
    if (written === query) return undefined;
    const timer = setTimeout(() => navigate(pathname + written, { replace: true }), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [search, query, pathname, navigate]);
  return [search, setSearch] as const;
}

/** What the member has made. Further tabs join the list when there is something to keep in them. */
export default function JourneyPage() {
  const [search, setSearch] = useSearch();
  const [selected, select] = useState("bespoke");
  const bespoke = useBespoke();
  useMiniPlayer();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = bespoke;
  useEffect(() => {
    // A search covers everything, so the rest of the list is fetched for it.
    if (search.trim() && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [search, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const tabs: Tab[] = [
    {
      id: "bespoke",
      label: copy.bespoke,
      count: bespoke.total,
      panel: <Bespoke query={bespoke} search={search} onClear={() => setSearch("")} />,
    },
  ];
  return (
    <>
      <Head search={search} onSearch={setSearch} />
      <Tabs label={copy.tabs} tabs={tabs} selected={selected} onSelect={select} />
    </>
  );
}
