import { lazy, Suspense } from "react";
import { journey as copy } from "@/copy/journey";
import { useData } from "@/data/data";
import { takeJourney } from "@/features/journey/answers";
import { Bespoke } from "@/features/journey/Bespoke";
import { Head } from "@/features/journey/Head";
import { PanelBegins, Waiting } from "@/features/journey/Panel";
import { Tabs } from "@/features/journey/Tabs";
import { useCounts } from "@/features/journey/useCounts";
import type { TabId } from "@/features/journey/useTab";
import { TABS, useTab } from "@/features/journey/useTab";
import { useTypedFilter } from "@/lib/filters";
import { useInBrowser } from "@/lib/in-browser";
import { useMiniPlayer } from "@/player/useMiniPlayer";

const Courses = lazy(() => import("@/features/journey/Courses"));
const Saved = lazy(() => import("@/features/journey/Saved"));
const Deleted = lazy(() => import("@/features/journey/Deleted"));

/**
 * What the member has made and kept. The search is over all of its tabs. The build writes how the page begins, with the first tab's shapes;
 * what the gateway has answered shows as soon as that markup has been hydrated.
 */
export default function JourneyPage() {
  useData().part(takeJourney);
  const hydrated = useInBrowser();
  const { typed, type, settled: search } = useTypedFilter("search");
  const { selected, select, opened } = useTab();
  const counts = useCounts(search);
  useMiniPlayer();
  const panel = (id: TabId) => {
    const props = { search, onClear: () => type("") };
    // It stands beside the open one and is asked for when it is opened: shapes there would say that it is on its way.
    if (!opened.has(id)) return null;
    if (!hydrated) return <PanelBegins title={copy[id]} />;
    if (id === "bespoke") return <Bespoke {...props} />;
    return (
      <Suspense fallback={<Waiting />}>
        {id === "deleted" ? <Deleted {...props} /> : <Saved of={id} {...props} />}
      </Suspense>
    );
  };
  const tabs = TABS.map((id) => ({
    id,
    label: copy[id],
    count: hydrated ? counts[id] : undefined,
    panel: panel(id),
  }));
  return (
    <>
      <Head search={typed} onSearch={type} />
      {hydrated ? (
        <Suspense fallback={null}>
          <Courses />
        </Suspense>
      ) : null}
      <Tabs label={copy.tabs} tabs={tabs} selected={selected} onSelect={select} />
    </>
  );
}
