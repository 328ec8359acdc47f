import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "@/lib/router";
import { fullTitle } from "@/lib/title";
import { routeAt } from "./routes";

/** How the address changes: by the browser's buttons, or by a link of ours (the router tells by these events). */
const WAYS = ["popstate", "pushState", "replaceState"] as const;

/** What a new page does in a browser, and a single-page app must do itself: title, top of the page, focus, a word. */
export function RouteChange() {
  const { pathname } = useLocation();
  const [said, say] = useState("");
  const before = useRef(pathname);
  // Whether a link of ours led here; else it was the browser, which then knows the place to scroll to.
  const led = useRef(false);

  useEffect(() => {
    const onMove = (event: Event) => void (led.current = event.type !== "popstate");
    for (const way of WAYS) window.addEventListener(way, onMove, { capture: true });
    return () => {
      for (const way of WAYS) window.removeEventListener(way, onMove, { capture: true });
    };
  }, []);

  // Before effects: a page that is there already may give itself a more telling one (useTitle).
  useLayoutEffect(() => {
    // One that was written for this address came with its own.
    const written = before.current === pathname && document.querySelector("#root[data-page]");
    if (!written) document.title = fullTitle(routeAt(pathname).route.title);
  }, [pathname]);

  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (led.current) window.scrollTo(0, 0);
    led.current = false;
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    say(document.title);
  }, [pathname]);

  return (
    <p className="sr" aria-live="polite">
      {said}
    </p>
  );
}
