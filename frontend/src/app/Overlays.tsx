import { lazy, Suspense } from "react";
import { useInBrowser } from "@/lib/in-browser";
import { useAccountView } from "./account-view";
import { ErrorBoundary } from "./ErrorBoundary";
import { SiteSearch } from "./SiteSearch";

/** What lies over the page comes after it: nothing of it is there at the first paint. */
const Notices = lazy(() => import("./Notices"));
const Account = lazy(() => import("./Account"));

/** Notices and panels over the page. */
export function Overlays() {
  const view = useAccountView();
  if (!useInBrowser()) return null;
  return (
    <ErrorBoundary quiet>
      <Suspense>
        <Notices />
      </Suspense>
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
