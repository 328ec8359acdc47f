import { lazy, Suspense, useSyncExternalStore } from "react";
import { useBrowserLocation } from "@/lib/router";
import { panelAt, sessionEnded } from "@/lib/account-panel";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { ErrorBoundary } from "./ErrorBoundary";

/** What lies over the page comes after it: nothing of it is there at the first paint. */
const Notices = lazy(() => import("./Notices"));
const Account = lazy(() => import("./Account"));

const never = () => () => undefined;

/** False while the page is being written by the build, and while its markup is taken over. */
const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

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
