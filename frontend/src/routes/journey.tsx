import { useEffect, useState } from "react";
import { journey as copy } from "@/copy/journey";
import { Bespoke } from "@/features/journey/Bespoke";
import { Head } from "@/features/journey/Head";
import type { Tab } from "@/features/journey/Tabs";
import { Tabs } from "@/features/journey/Tabs";
import { useBespoke } from "@/features/journey/useBespoke";
import { useTypedFilter } from "@/lib/filters";
import { useMiniPlayer } from "@/player/useMiniPlayer";

/** What the member has made. Further tabs join the list when there is something to keep in them. */
export default function JourneyPage() {
  const { typed: search, type: setSearch } = useTypedFilter("search");
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
