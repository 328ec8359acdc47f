import { useDeferredValue, useEffect } from "react";
import { askedFor, leavePanel, pageUnder, panelAt } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { RouteParams, ShownLocation, useBrowserLocation, useNavigate } from "@/lib/router";
import { useMember } from "@/lib/session";
import { ErrorBoundary } from "./ErrorBoundary";
import { Guard } from "./Guard";
import { Overlays } from "./Overlays";
import { NOT_FOUND, routeAt } from "./routes";
import { Shell } from "./Shell";
import { DataLayout } from "./warm";

/** The page at a path, for those who may open it. */
function Page({ path }: { path: string }) {
  const { route, params } = routeAt(path);
  // One of the pages listed in ROUTES, each made once.
  // oxlint-disable-next-line react/static-components
  const page = <route.Page key={route.path} />;
  return (
    <Guard access={route.access}>
      <RouteParams value={params}>{route.data ? <DataLayout>{page}</DataLayout> : page}</RouteParams>
    </Guard>
  );
}

/** The account panel is for visitors: with the member it goes. */
function useNoPanelForMembers(): void {
  const location = useBrowserLocation();
  const member = useMember();
  useEffect(() => {
    if (member && panelAt(location)) leavePanel(location);
  }, [member, location]);
}

/** Takes a member who has just signed in to the page that home asked them to sign in for. */
function useReturnRedirect(): void {
  const to = askedFor(useBrowserLocation());
  const member = useMember();
  const navigate = useNavigate();
  useEffect(() => {
    if (member && to) navigate(routeAt(to).route === NOT_FOUND ? paths.home : to, { replace: true });
  }, [member, to, navigate]);
}

/**
 * Redirects members. It renders nothing and has no children: React renders a component that reads the member again as soon as
 * the prerendered markup is hydrated, and a page inside this one would then be hydrated at once instead of in steps.
 */
function Redirects() {
  useNoPanelForMembers();
  useReturnRedirect();
  return null;
}

/** The page at the address, or the one under the panel that has the address, and what lies over it. */
export function App() {
  // The page one leaves stands until the next one has come.
  const page = useDeferredValue(pageUnder(useBrowserLocation()));
  return (
    <ErrorBoundary>
      <Redirects />
      <ShownLocation value={page}>
        <Shell alone={routeAt(page.pathname).route.alone}>
          <Page path={page.pathname} />
        </Shell>
      </ShownLocation>
      <Overlays />
    </ErrorBoundary>
  );
}
