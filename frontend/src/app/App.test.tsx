import { startTransition } from "react";
import type { Root } from "react-dom/client";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Router } from "wouter";
import { VISITOR } from "@/lib/boot";
import { paths } from "@/lib/paths";
import { keepPendingPlan } from "@/lib/pending-plan";
import { member } from "@/testing/member";
import { createSetting, show } from "@/testing/page";
import { isTakenOver } from "@/testing/taken-over";
import { App } from "./App";
import { Providers } from "./Providers";
import { routeAt } from "./routes";
import { Footer } from "./Shell";

test("a visitor who opens a member's page is asked to sign in, and gets there", async () => {
  const { screen, session } = await show(<App />, { member: null, path: "/members" });
  const asks = screen.getByRole("dialog", { name: "Please sign in" });
  await expect.element(asks.getByRole("button", { name: "Sign in" })).toBeVisible();
  expect(window.location.pathname).toBe("/");
  session.set({ ...VISITOR, member: member() });
  await expect.poll(() => window.location.pathname).toBe("/members");
  await expect.poll(() => asks.query()).toBeNull();
});

test.each([
  ["/signup?planId=serein-premium&period=year", "/memberships?period=year", { plan: "serein-premium" }],
  ["/signup?planId=serein-core&period=month", "/memberships", { plan: "serein-core" }],
  ["/signup", "/", null],
  ["/signup/confirm?username=amara", "/", null],
])("a member who opens %s is led to %s", async (path, to, state) => {
  await show(<App />, { path });
  await expect.poll(() => window.location.pathname + window.location.search).toBe(to);
  expect(window.history.state).toEqual(state);
});

test("a membership that was chosen before signing in leads to its payment, and nowhere else", async () => {
  const { session } = await show(<App />, {
    member: null,
    path: "/signup?planId=serein-premium&period=year",
  });
  keepPendingPlan({ planId: "serein-premium", period: "year" });
  session.set({ ...VISITOR, member: member() });
  await expect.poll(() => window.location.pathname).toBe("/");
  keepPendingPlan(null);
});

test("who would rather not sign in stays at home", async () => {
  const { screen } = await show(<App />, { member: null, path: "/?return_to=%2Fjourney" });
  await screen.getByRole("button", { name: "Not now" }).click();
  await expect.poll(() => window.location.href).not.toContain("return_to");
  expect(screen.getByRole("dialog").query()).toBeNull();
});

test("a member's bar does not have the whole page taken over at once with it", async () => {
  await Promise.all([routeAt(paths.contact).route.Page.preload(), Footer.preload()]);
  window.history.replaceState(null, "", paths.contact);
  const pageFor = ({ app, session }: ReturnType<typeof createSetting>) => (
    <Providers app={app} session={session}>
      <Router ssrPath={paths.contact}>
        <App />
      </Router>
    </Providers>
  );
  const at = document.createElement("div");
  at.innerHTML = renderToString(pageFor(createSetting({ member: null })));
  document.body.append(at);
  const heading = at.querySelector("main h1");
  const barFirst = new Promise<boolean>((done) => {
    const changed = new MutationObserver(() => done(!isTakenOver(heading)));
    changed.observe(at.querySelector("header") ?? at, { childList: true, subtree: true });
  });
  const page = pageFor(createSetting());
  let root: Root | undefined;
  startTransition(() => void (root = hydrateRoot(at, page)));
  expect(await barFirst).toBe(true);
  await expect.poll(() => isTakenOver(heading)).toBe(true);
  expect(at.querySelector("main h1")).toBe(heading);
  root?.unmount();
  at.remove();
});
