// First, because it says the order of the layers.
import "@/styles/index.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router } from "wouter";
import { App } from "@/app/App";
import { Providers } from "@/app/Providers";
import { createApp } from "@/app/root";
import { routeAt, writtenPath } from "@/app/routes";
import { Footer } from "@/app/Shell";
import { loadData, warm } from "@/app/warm";
import { readBoot } from "@/lib/boot";
import { whenIdle } from "@/lib/idle";
import { createSession } from "@/lib/session";

const { pathname } = window.location;
// The page's own chunk is asked for before React has started.
warm(pathname);
const session = createSession(readBoot(document.querySelector("#boot")?.textContent));
const app = createApp(session);
const root = document.querySelector<HTMLElement>("#root");

const page = (
  <StrictMode>
    <Providers app={app} session={session}>
      <Router ssrPath={pathname}>
        <App />
      </Router>
    </Providers>
  </StrictMode>
);

/** Takes over the markup of this page where the build has written it; elsewhere the frame gives way to the page. */
async function start(at: HTMLElement): Promise<void> {
  const path = writtenPath(pathname);
  if (path === null || path !== at.dataset["page"]) return createRoot(at).render(page);
  // What the markup is made of is there before it is taken over, or it would go and come again. A part that cannot be
  // fetched says so when it is shown.
  await Promise.allSettled([routeAt(path).route.Page.preload(), Footer.preload()]);
  hydrateRoot(at, page);
}
if (root) void start(root);

// index.html marks a member's page before the first paint; it is no longer one when the session ends.
session.subscribe(() => {
  if (!session.get().member) delete document.documentElement.dataset["member"];
});

// When nothing else is to do, what the next page will need.
window.addEventListener("load", () => whenIdle(() => void loadData().catch(() => undefined)));
