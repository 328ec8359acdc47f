// First, because it says the order of the layers.
import "@/styles/index.css";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router } from "wouter";
import { App } from "@/app/App";
import { Providers } from "@/app/Providers";
import { pressAgain } from "@/app/pressed-early";
import { createApp } from "@/app/root";
import type { AppRoute } from "@/app/routes";
import { routeAt, writtenRoute } from "@/app/routes";
import { Footer } from "@/app/Shell";
import { DataLayout, warm } from "@/app/warm";
import { readBoot } from "@/lib/boot";
import { whenIdle } from "@/lib/idle";
import { createSession } from "@/lib/session";

const { pathname, search } = window.location;
// The page's own chunk is asked for before React has started.
warm(pathname);
const session = createSession(readBoot(document.querySelector("#boot")?.textContent));
const app = createApp(session);
const root = document.querySelector<HTMLElement>("#root");

/** What the page was written for beside its path: a filter, which its root names. */
const filter = root?.dataset["filter"] ?? "";
const filteredBy = new URLSearchParams(search).get(filter) ?? "";
const address = filter ? `${pathname}?${new URLSearchParams({ [filter]: filteredBy })}` : pathname;

const page = (
  <StrictMode>
    <Providers app={app} session={session}>
      <Router ssrPath={address}>
        <App />
      </Router>
    </Providers>
  </StrictMode>
);

/** Whether what the markup was made of is there, for it to be taken over. */
async function hasAnswer(route: AppRoute): Promise<boolean> {
  if (!route.data) return true;
  const answer = route.prerender === "template" ? import("@/data/page-answers") : null;
  const [data, taking] = await Promise.all([app.data(), answer, DataLayout.preload()]);
  const source = document.querySelector("#page")?.textContent ?? "";
  const params = { ...routeAt(pathname).params, ...(filter && { [filter]: filteredBy }) };
  return !taking || taking.takePageAnswer(data, route.path, params, source);
}

/** Takes over the markup of this page where it was written; elsewhere the frame gives way to the page. */
async function show(at: HTMLElement): Promise<void> {
  // The gateway could not say who is signed in: a member is not shown a visitor's page.
  if (!session.get().serverTime) await app.known;
  const route = writtenRoute(pathname);
  if (route?.path !== at.dataset["page"] || !route) return createRoot(at).render(page);
  // What the markup is made of is there before it is taken over, or it would go and come again. A part that cannot be
  // fetched says so when it is shown.
  const answer = hasAnswer(route).catch(() => false);
  await Promise.allSettled([route.Page.preload(), Footer.preload(), answer]);
  if (!(await answer)) return createRoot(at).render(page);
  // In slices, between which the browser answers: a whole page at once would hold it up on a slow telephone.
  startTransition(() => void hydrateRoot(at, page));
}
if (root) void show(root).then(pressAgain);

// index.html marks a member's page before the first paint; it is no longer one when the session ends.
session.subscribe(() => {
  if (!session.get().member) delete document.documentElement.dataset["member"];
});

// When nothing else is to do, what the next page will need.
const warmData = () => whenIdle(() => void DataLayout.preload().catch(() => undefined));
if (document.readyState === "complete") warmData();
else window.addEventListener("load", warmData);
