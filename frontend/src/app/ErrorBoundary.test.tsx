import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

test("a page that cannot be fetched offline says so, and opens by itself when the line is back", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { screen } = await open();
  await expect.element(screen.getByRole("heading", { name: "You are offline" })).toBeVisible();
  expect(reloads).toBe(0);
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => reloads).toBe(1);
});

test("who has gone elsewhere meanwhile is left in peace", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { screen } = await open();
  await expect.element(screen.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await screen.unmount();
  window.dispatchEvent(new Event("online"));
  await Promise.resolve();
  expect(reloads).toBe(0);
});
