import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { preloadable } from "@/lib/preloadable";
import { show } from "@/testing/page";
import { ErrorBoundary } from "./ErrorBoundary";

/** A page whose chunk could not be fetched. */
function Missing(): never {
  throw new TypeError("Failed to fetch dynamically imported module: /assets/journey.js");
}

/** Loading the page again is the browser's; here it is counted and does not happen. */
let reloads = 0;
const count = (event: NavigateEvent) => {
  if (event.navigationType !== "reload") return;
  event.preventDefault();
  reloads++;
};

beforeEach(() => {
  reloads = 0;
  sessionStorage.clear();
  window.navigation.addEventListener("navigate", count);
  vi.stubGlobal("reportError", () => {});
});
afterEach(() => {
  window.navigation.removeEventListener("navigate", count);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = () =>
  show(
    <ErrorBoundary>
      <Missing />
    </ErrorBoundary>,
  );

/** A page whose chunk comes from the second time on. */
function late() {
  let asked = 0;
  const Page = preloadable(() =>
    ++asked === 1
      ? Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/journey.js"))
      : Promise.resolve({ default: () => <h1>My Journey</h1> }),
  );
  return show(
    <ErrorBoundary>
      <Suspense>
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
}

test("a page that cannot be fetched offline says so, and comes by itself when the line is back, it alone", async () => {
  const line = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { screen } = await late();
  await expect.element(screen.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  line.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await expect.element(screen.getByRole("heading", { name: "My Journey" })).toBeVisible();
  expect(reloads).toBe(0);
});

test("what plays goes on: the page is not loaded again for a part that fails, which a button asks for again", async () => {
  navigator.mediaSession.playbackState = "playing";
  const { screen } = await late();
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("heading", { name: "My Journey" })).toBeVisible();
  expect(reloads).toBe(0);
  navigator.mediaSession.playbackState = "none";
});

test("where nothing plays, a page of before a newer app is loaded again by itself", async () => {
  await open();
  await expect.poll(() => reloads).toBe(1);
});

test("who has gone elsewhere meanwhile is left in peace", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { screen } = await open();
  await expect.element(screen.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  await screen.unmount();
  window.dispatchEvent(new Event("online"));
  await Promise.resolve();
  expect(reloads).toBe(0);
});
