import { lazy, Suspense } from "react";
import { useBrowserLocation } from "@/lib/router";
import { panelAt, sessionEnded } from "@/lib/account-panel";
import { useInBrowser } from "@/lib/in-browser";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { ErrorBoundary } from "./ErrorBoundary";

/** What lies over the page comes after it: nothing of it is there at the first paint. */
const Notices = lazy(() => import("./Notices"));
const Account = lazy(() => import("./Account"));

/** Notices and panels over the page. */
export function Overlays() {
  const panel = panelAt(useBrowserLocation());
  const member = useMember();
  const ended = useStore(sessionEnded);
  const account = ended || member?.consentsMissing || (panel && !member);
  if (!useInBrowser()) return null;
  return (
    <ErrorBoundary quiet>
      <Suspense>
        <Notices />
      </Suspense>
      {account ? (
        <Suspense>
          <Account />
        </Suspense>
      ) : null}
    </ErrorBoundary>
  );
}
