import { routeAt } from "./routes";

/** Loads what a page needs before it is asked for: on hover, focus or touch of its link. */
export function warm(path: string): void {
  const { route } = routeAt(path);
  // A failure here is nobody's business yet: opening the page will try again and say so.
  void route.load().catch(() => undefined);
  if (route.data) void loadData().catch(() => undefined);
}

export const loadData = () => import("@/data/DataLayout");
