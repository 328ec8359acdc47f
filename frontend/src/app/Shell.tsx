import { lazy, Suspense } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { shell } from "@/copy/shell";
import { accountPanel } from "@/lib/account-panel";
import { useApp } from "@/lib/app";
import { paths } from "@/lib/paths";
import { useStore } from "@/lib/store";
import { Icon } from "@/ui/Icon";
import { Loader } from "@/ui/Marks";
import { Toaster } from "@/ui/toast/Toaster";
import { ErrorBoundary } from "./ErrorBoundary";
import { Header } from "./Header";
import { AgeBanner, OfflineBar } from "./Notices";
import { RouteChange } from "./RouteChange";

/** Below the page, so it need not come before it. */
const Footer = lazy(() => import("./Footer"));
const AccountPanel = lazy(() => import("@/features/account/AccountPanel"));

/** The player's small form, once a page has put it there. */
const MiniSlot = () => <ErrorBoundary>{useStore(useApp().mini)}</ErrorBoundary>;

/** Everything around the page. */
export function Shell() {
  const { pathname } = useLocation();
  const panel = useStore(accountPanel);
  return (
    <>
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <AgeBanner />
      <Header />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<PageLoader />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>
        <Footer />
      </Suspense>
      <aside aria-label={shell.contact}>
        <Link className="btn contact-fab" to={paths.contact}>
          <Icon name="mail" />
          <span>{shell.contactUs}</span>
        </Link>
      </aside>
      <MiniSlot />
      <OfflineBar />
      <Toaster />
      <RouteChange />
      {panel ? (
        <Suspense>
          <AccountPanel panel={panel} />
        </Suspense>
      ) : null}
    </>
  );
}

function PageLoader() {
  return (
    <div className="page-loader">
      <Loader label={shell.loading} />
    </div>
  );
}
