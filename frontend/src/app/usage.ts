import type { Data } from "@/lib/app";
import { reportPage } from "@/data/usage";
import type { SessionStore } from "@/lib/session";
import type { PatternAt } from "./routes";

/** How the address changes: by the browser's buttons, or by a link of ours. */
const WAYS = ["popstate", "pushState", "replaceState"] as const;

/**
 * Reports which pages are opened in this tab, the present one first, for as long as the member agrees to it: the pattern of the page,
 * never its address. A report that is lost is nobody's business. Answers with the end of it; `over` hears of every end.
 */
export function countPages(
  session: SessionStore,
  data: () => Promise<Data>,
  patternAt: PatternAt,
  over: () => void,
): () => void {
  let shown = "";
  const report = async (route: string) => {
    const counted = await reportPage(await data(), route).catch(() => true);
    if (!counted) session.endAnalytics();
  };
  const look = () => {
    const { pathname } = window.location;
    if (pathname === shown) return;
    shown = pathname;
    const pattern = patternAt(pathname, session.get());
    if (pattern) void report(pattern);
  };
  const end = () => {
    for (const way of WAYS) window.removeEventListener(way, look);
    unsubscribe();
    over();
  };
  const follow = () => {
    if (!session.get().member?.analytics) end();
  };
  const unsubscribe = session.subscribe(follow);
  for (const way of WAYS) window.addEventListener(way, look);
  if (session.get().member?.analytics) look();
  else end();
  return end;
}
