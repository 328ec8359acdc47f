import type { ReactNode } from "react";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { accessInManifest } from "@/app/access";
import { App } from "@/app/App";
import { Providers } from "@/app/Providers";
import { NOT_FOUND, ROUTES, writtenPath } from "@/app/routes";
import { Shell } from "@/app/Shell";
import { shell } from "@/copy/shell";
import { TEXTS } from "@/copy/texts";
import { paths } from "@/lib/paths";
import { ShownLocation } from "@/lib/router";
import { createSession } from "@/lib/session";
import { createStore } from "@/lib/store";
import { fullTitle } from "@/lib/title";
import { PageLoader } from "@/ui/PageLoader";

/** What the build needs of the app: its pages, and their markup for a visitor. Run by scripts/pages.mjs, in Node. */

const NAMES: Readonly<Record<string, string>> = { [paths.home]: "home", [NOT_FOUND.path]: "not-found" };

const fileOf = (path: string): string =>
  `prerendered/${NAMES[path] ?? path.slice(1).replaceAll("/", "-")}.html`;

/** The gateway's list of pages (dist/pages.json). */
export const manifest = {
  pages: ROUTES.map(({ path, access, title }) => {
    const from = writtenPath(path);
    return {
      path,
      ...accessInManifest(access),
      title: fullTitle(title),
      ...(from && { html: fileOf(from) }),
    };
  }),
  notFound: fileOf(NOT_FOUND.path),
  texts: TEXTS,
};

/** The pages whose markup is written, and the module each is made of, as Vite's manifest names it. */
export const written = [...ROUTES, NOT_FOUND]
  .filter((route) => route.prerender === "itself")
  .map((route) => ({
    path: route.path,
    file: fileOf(route.path),
    title: fullTitle(route.title),
    module: `src/routes/${/chunks\/([\w-]+)\.js/.exec(route.load.toString())?.[1] ?? ""}.tsx`,
  }));

const never = () => new Promise<never>(() => undefined);

async function markup(path: string, content: ReactNode): Promise<string> {
  const app = { data: never, signOut: never, mini: createStore<ReactNode>(null) };
  const { prelude } = await prerender(
    <StrictMode>
      <Providers app={app} session={createSession()}>
        <Router ssrPath={path}>{content}</Router>
      </Providers>
    </StrictMode>,
    // In one piece: pieces would be put together by inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

/** A page as a visitor sees it first. */
export const pageMarkup = (path: string): Promise<string> => markup(path, <App />);

/** The frame alone, for pages that only the app can show. */
export const frameMarkup = (): Promise<string> =>
  markup(
    "/",
    <ShownLocation value={{ pathname: "", search: "", hash: "", state: null }}>
      <Shell alone={false}>
        <PageLoader label={shell.loading} />
      </Shell>
    </ShownLocation>,
  );
