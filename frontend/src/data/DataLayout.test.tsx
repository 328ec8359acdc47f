import { StrictMode, Suspense, useSyncExternalStore } from "react";
import { hydrateRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { Providers } from "@/app/Providers";
import { createApp } from "@/app/root";
import { createSession } from "@/lib/session";
import { isTakenOver } from "@/testing/taken-over";
import DataLayout from "./DataLayout";

/** Begins with what the build knew, and then at once with what this browser knows: as the session does. */
function Page() {
  const who = useSyncExternalStore(
    () => () => undefined,
    () => "member",
    () => "visitor",
  );
  return (
    <main data-who={who}>
      <Suspense fallback={<p>One moment</p>}>
        <DataLayout>
          <h1>A page</h1>
        </DataLayout>
      </Suspense>
    </main>
  );
}

test("markup is taken over where the gateway's side is loaded, and nothing flashes", async () => {
  const at = document.createElement("div");
  at.innerHTML = '<main data-who="visitor"><!--$--><h1>A page</h1><!--/$--></main>';
  document.body.append(at);
  const heading = at.querySelector("h1");
  const swaps: string[] = [];
  new MutationObserver(() => swaps.push(at.innerHTML)).observe(at, { childList: true, subtree: true });
  const session = createSession();
  const app = createApp(session);
  await app.data();
  const root = hydrateRoot(
    at,
    <StrictMode>
      <Providers app={app} session={session}>
        <Page />
      </Providers>
    </StrictMode>,
  );
  await expect.poll(() => at.querySelector("main")?.dataset["who"]).toBe("member");
  await expect.poll(() => isTakenOver(heading)).toBe(true);
  expect(swaps).toEqual([]);
  expect(at.querySelector("h1")).toBe(heading);
  root.unmount();
  at.remove();
});
