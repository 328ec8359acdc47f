import { StrictMode, Suspense, useSyncExternalStore } from "react";
import { hydrateRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { isTakenOver } from "@/testing/taken-over";
import { preloadable } from "./preloadable";

const Page = () => <h1>A page</h1>;

/** Begins with what the build knew, and then at once with what this browser knows: as the session does. */
function App({ page: Part }: { page: ReturnType<typeof preloadable> }) {
  const who = useSyncExternalStore(
    () => () => undefined,
    () => "member",
    () => "visitor",
  );
  return (
    <main data-who={who}>
      <Suspense fallback={<p>One moment</p>}>
        <Part />
      </Suspense>
    </main>
  );
}

test("markup is taken over by a preloaded page, although what stands around it changes at once", async () => {
  const at = document.createElement("div");
  at.innerHTML = '<main data-who="visitor"><!--$--><h1>A page</h1><!--/$--></main>';
  document.body.append(at);
  const heading = at.querySelector("h1");
  const swaps: string[] = [];
  new MutationObserver(() => swaps.push(at.innerHTML)).observe(at, { childList: true, subtree: true });
  const page = preloadable(() => Promise.resolve({ default: Page }));
  await page.preload();
  const root = hydrateRoot(
    at,
    <StrictMode>
      <App page={page} />
    </StrictMode>,
  );
  await expect.poll(() => at.querySelector("main")?.dataset["who"]).toBe("member");
  await expect.poll(() => isTakenOver(heading)).toBe(true);
  expect(swaps).toEqual([]);
  expect(at.querySelector("h1")).toBe(heading);
  root.unmount();
  at.remove();
});

test("a page that is not preloaded is fetched when it is shown", async () => {
  const screen = await render(<App page={preloadable(() => Promise.resolve({ default: Page }))} />);
  await expect.element(screen.getByRole("heading", { name: "A page" })).toBeVisible();
});
