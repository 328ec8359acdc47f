import { useEffect, useId, useState } from "react";
import { journey as copy } from "@/copy/journey";
import { Bespoke } from "@/features/journey/Bespoke";
import "@/features/journey/journey.css";
import type { Tab } from "@/features/journey/Tabs";
import { Tabs } from "@/features/journey/Tabs";
import { useBespoke } from "@/features/journey/useBespoke";
import { keepPlayer } from "@/player/mini";
import { Icon } from "@/ui/Icon";

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="search">
      <Icon name="search" />
      <label className="sr" htmlFor={id}>
        {copy.search}
      </label>
      <input
        className="input"
        id={id}
        type="search"
        placeholder={copy.search}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** What the member has made. Further tabs join the list when there is something to keep in them. */
export default function JourneyPage() {
  const [search, setSearch] = useState("");
  const [selected, select] = useState("bespoke");
  const bespoke = useBespoke();
  useEffect(keepPlayer, []);
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
      <div className="wrap">
        <div className="page-head j-head">
          <div>
            <h1>{copy.title}</h1>
            <p className="lead">{copy.lead}</p>
          </div>
          <Search value={search} onChange={setSearch} />
        </div>
      </div>
      <Tabs label={copy.tabs} tabs={tabs} selected={selected} onSelect={select} />
    </>
  );
}
