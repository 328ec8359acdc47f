import { useCallback, useState } from "react";
import { useFilters } from "@/lib/filters";

/** The tabs in their order. */
export const TABS = ["introduction", "bespoke", "library", "articles", "deleted"] as const;

export type TabId = (typeof TABS)[number];

/** What is open where the address names none: what the member has made. */
const FIRST: TabId = "bespoke";

const tabOf = (name: string): TabId => TABS.find((id) => id === name) ?? FIRST;

/**
 * The tab in the address, so that Back and a reload come to it again. Going from one to the next makes no entries in the history: Back
 * leaves the page. `opened` are those that were looked at: only they are asked for.
 */
export function useTab() {
  const { get, set } = useFilters();
  const selected = tabOf(get("tab"));
  const [opened, setOpened] = useState<ReadonlySet<TabId>>(new Set([selected]));
  if (!opened.has(selected)) setOpened(new Set([...opened, selected]));
  const select = useCallback((id: string) => set({ tab: id === FIRST ? "" : id }, true), [set]);
  return { selected, select, opened };
}
