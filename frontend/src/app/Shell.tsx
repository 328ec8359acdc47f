import type { ReactNode } from "react";
import { Suspense } from "react";
import { shell } from "@/copy/shell";
import { useApp } from "@/lib/app";
import { paths } from "@/lib/paths";
import { preloadable } from "@/lib/preloadable";
import { Link, useLocation } from "@/lib/router";
import { useStore } from "@/lib/store";
import { Icon } from "@/ui/Icon";
import { PageLoader } from "@/ui/PageLoader";
import { AgeBanner } from "./AgeBanner";
import { ErrorBoundary } from "./ErrorBoundary";
import { Header } from "./Header";
import { RouteChange } from "./RouteChange";
import css from "./Shell.module.css";

/** Below the page, which is as high as the window from the first paint on: it moves nothing when it comes. */
export const Footer = preloadable(() => import("./Footer"));

/** The player's small form, once a page has put it there. */
const MiniSlot = () => <ErrorBoundary>{useStore(useApp().mini)}</ErrorBoundary>;

interface ShellProps {
  /** The page fills the window by itself. */
  alone: boolean;
  children: ReactNode;
}

/** Everything around the page. */
export function Shell({ alone, children }: ShellProps) {
  const { pathname } = useLocation();
  return (
    <>
      <a className={css.skip} href="#main">
        {shell.skip}
      </a>
      {alone ? null : (
        <>
          <AgeBanner />
          <Header />
        </>
      )}
      <main className={css.main} id="main" tabIndex={-1}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<PageLoader label={shell.loading} />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {alone ? null : (
        <>
          <aside className={css.aside} aria-label={shell.contact}>
            <Link className={css.contact} to={paths.contact}>
              <Icon name="mail" />
              <span>{shell.contactUs}</span>
            </Link>
          </aside>
          <Suspense>
            <Footer />
          </Suspense>
        </>
      )}
      <MiniSlot />
      <RouteChange />
    </>
  );
}
