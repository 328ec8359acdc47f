import { Suspense } from "react";
import { useInBrowser } from "@/lib/in-browser";
import { preloadable } from "@/lib/preloadable";
import { useStore } from "@/lib/store";
import { topUpOpen } from "@/lib/top-up";
import { useAccountView } from "./account-view";
import { ErrorBoundary } from "./ErrorBoundary";
import { SiteSearch } from "./SiteSearch";

/** What lies over the page comes after it: nothing of it is there at the first paint. */
const Notices = preloadable(() => import("./Notices"));
const Account = preloadable(() => import("./Account"));
const TopUp = preloadable(() => import("./TopUp"));

/** Notices and panels over the page. */
export function Overlays() {
  const view = useAccountView();
  const toppingUp = useStore(topUpOpen);
  if (!useInBrowser()) return null;
  return (
    <ErrorBoundary quiet>
      <Suspense>
        <Notices />
      </Suspense>
      {toppingUp && !view ? (
        <Suspense>
          <TopUp />
        </Suspense>
      ) : null}
      {view ? (
        <Suspense>
          <Account view={view} />
        </Suspense>
      ) : (
        <SiteSearch />
      )}
    </ErrorBoundary>
  );
}
