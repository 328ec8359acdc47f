import { useEffect, useRef, useState } from "react";
import { matchPath, useLocation, useNavigationType } from "react-router";
import { fullTitle } from "@/lib/title";
import { ROUTES } from "./routes";

const titleOf = (path: string) => fullTitle(ROUTES.find((r) => matchPath(r.path, path))?.title ?? "");

/** What a new page does in a browser, and a single-page app must do itself: title, top of the page, focus, a word. */
export function RouteChange() {
  const { pathname } = useLocation();
  const how = useNavigationType();
  const [said, say] = useState("");
  const before = useRef(pathname);

  useEffect(() => {
    document.title = titleOf(pathname);
    if (before.current === pathname) return;
    before.current = pathname;
    if (how !== "POP") window.scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    say(document.title);
  }, [pathname, how]);

  return (
    <p className="sr" aria-live="polite">
      {said}
    </p>
  );
}
