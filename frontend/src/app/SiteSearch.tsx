import { Suspense, useEffect, useEffectEvent } from "react";
import { whenIdle } from "@/lib/idle";
import { useMember } from "@/lib/session";
import { useSiteSearch } from "@/lib/site-search";
import { ErrorBoundary } from "./ErrorBoundary";
import { Search, warmSearch } from "./warm";

/** What takes letters. */
const WRITES =
  "input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])";

/** Control or Command and K anywhere; the slash where it would not be written. */
function asksForSearch({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  isComposing,
  target,
}: KeyboardEvent): boolean {
  if (isComposing || altKey) return false;
  if (ctrlKey !== metaKey) return key.toLowerCase() === "k" && !shiftKey;
  return key === "/" && !ctrlKey && !(target instanceof Element && target.closest(WRITES));
}

/** Opens the search by keys, unless something in a dialog must be answered first. */
function useKeys(open: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !asksForSearch(event)) return;
    // The browser's own search.
    event.preventDefault();
    if (!document.querySelector("dialog:modal")) open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

function ForMembers() {
  const { search, open } = useSiteSearch();
  useKeys(open);
  useEffect(() => whenIdle(warmSearch), []);
  if (!search) return null;
  return (
    <ErrorBoundary quiet>
      <Suspense>
        <Search />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The search over the page, by its address and by keys. Visitors have neither. */
export const SiteSearch = () => (useMember() ? <ForMembers /> : null);
