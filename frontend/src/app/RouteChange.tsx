import { useEffect, useRef, useState } from "react";
import { useLocation } from "@/lib/router";
import { fullTitle } from "@/lib/title";
import { routeAt } from "./routes";

/** What a new page does in a browser, and a single-page app must do itself: title, top of the page, focus, a word. */
export function RouteChange() {
  const { pathname } = useLocation();
  const [said, say] = useState("");
  const before = useRef(pathname);
  const moved = useRef(false);

  useEffect(() => {
    const onMove = () => void (moved.current = true);
    window.addEventListener("popstate", onMove);
    return () => window.removeEventListener("popstate", onMove);
  }, []);

  useEffect(() => {
    document.title = fullTitle(routeAt(pathname).route.title);
    if (before.current === pathname) return;
    before.current = pathname;
    // Back and forward lead to where one was; the browser scrolls there itself.
    if (!moved.current) window.scrollTo(0, 0);
    moved.current = false;
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    say(document.title);
  }, [pathname]);

  return (
    <p className="sr" aria-live="polite">
      {said}
    </p>
  );
}
