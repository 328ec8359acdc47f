import type { ReactNode } from "react";
import { preloadable } from "@/lib/preloadable";
import { routeAt } from "./routes";

/** Loads what a page needs before it is asked for: on hover, focus or touch of its link. */
export function warm(path: string): void {
  const { route } = routeAt(path);
  // A failure here is nobody's business yet: opening the page will try again and say so.
  void route.load().catch(() => undefined);
  if (route.data) void DataLayout.preload().catch(() => undefined);
}

/** Around every page that reads from the gateway. */
export const DataLayout = preloadable<{ children: ReactNode }>(() => import("@/data/DataLayout"));

/** The site's search, which lies over a member's page. */
export const Search = preloadable(() => import("@/features/search/Search"));

/** Loads the search before it is opened. */
export function warmSearch(): void {
  void Promise.all([Search.preload(), DataLayout.preload()]).catch(() => undefined);
}
