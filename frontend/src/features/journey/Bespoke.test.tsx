import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import Footer from "@/app/Footer";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { GeneratorService, JourneyService, Stage } from "@/gen/serein/web/v1/generator_pb";
import { gate } from "@/testing/gate";
import { meditation } from "@/testing/meditations";
import { axeFaults, show } from "@/testing/page";
import { Bespoke } from "./Bespoke";

function Page() {
  const [search, setSearch] = useState("");
  return (
    <main>
      <h1>My Journey</h1>
      <input aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <Bespoke search={search} onClear={() => setSearch("")} />
    </main>
  );
}

const MADE = [
  meditation(),
  meditation({ id: "m2", title: "Not counting the hours", typeId: "better-sleep", typeName: "Better Sleep" }),
  meditation({ id: "m3", title: "Leaving it in the car", stage: Stage.FAILED }),
];

/** The journey, page by page. */
const journey = (pages: readonly Meditation[][]) => ({
  gateway: ({ rpc }: ConnectRouter) => {
    rpc(JourneyService.method.listBespoke, ({ pageToken, search }) => {
      const at = Number(pageToken || 0);
      const nextPageToken = at + 1 < pages.length ? String(at + 1) : "";
      const found = pages[at]?.filter((m) => m.title.includes(search)) ?? [];
      return { meditations: found, total: search ? found.length : pages.flat().length, nextPageToken };
    });
    rpc(GeneratorService.method.watchMeditation, async function* () {});
  },
});

test("each meditation leads to where it can be heard, or to why it cannot", async () => {
  const { screen } = await show(<Page />, journey([MADE]));
  await expect
    .element(screen.getByRole("link", { name: "After the long meeting" }))
    .toHaveAttribute("href", "/journey/m1");
  await expect
    .element(screen.getByRole("link", { name: "Leaving it in the car" }))
    .toHaveAttribute("href", "/bespoke-meditation-generator/m3");
  await expect.element(screen.getByText("Not finished")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("one that is being made says how much is ready, and turns ready by itself", async () => {
  const making = meditation({ stage: Stage.NARRATING, readyMs: 35_000n, passagesDone: 3 });
  const finish = gate();
  const { screen } = await show(<Page />, {
    gateway: ({ rpc }) => {
      rpc(JourneyService.method.listBespoke, () => ({ meditations: [making], total: 1 }));
      rpc(GeneratorService.method.watchMeditation, async function* () {
        yield { meditation: making };
        await finish.passed;
        yield { meditation: meditation() };
      });
    },
  });
  await expect.element(screen.getByText("Being made")).toBeVisible();
  await expect.element(screen.getByText("0:35")).toBeVisible();
  finish.open();
  await expect
    .element(screen.getByRole("link", { name: "After the long meeting" }))
    .toHaveAttribute("href", "/journey/m1");
});

test("a press on a finished one plays it", async () => {
  const { screen, player } = await show(<Page />, journey([MADE]));
  const open = vi.spyOn(player, "open");
  await screen.getByRole("link", { name: "After the long meeting" }).click();
  expect(open).toHaveBeenCalledWith("m1", { play: true });
  expect(window.location.pathname).toBe("/journey/m1");
});

test("the search finds, says how many, and can be cleared where nothing was found", async () => {
  const { screen } = await show(<Page />, journey([MADE]));
  await screen.getByLabelText("Search").fill("hours");
  await expect.element(screen.getByText("1 found")).toBeVisible();
  expect(screen.getByRole("link", { name: "After the long meeting" }).query()).toBeNull();
  expect(screen.getByRole("link", { name: "Make a meditation" }).query()).toBeNull();
  await screen.getByLabelText("Search").fill("mountain");
  await expect.element(screen.getByText("No results")).toBeVisible();
  await screen.getByRole("button", { name: "Clear the search" }).click();
  await expect.element(screen.getByRole("link", { name: "After the long meeting" })).toBeVisible();
});

test("a longer list is fetched page by page", async () => {
  const { screen } = await show(<Page />, journey([MADE.slice(0, 2), MADE.slice(2)]));
  await expect.element(screen.getByRole("link", { name: "Not counting the hours" })).toBeVisible();
  expect(screen.getByText("Leaving it in the car").query()).toBeNull();
  await screen.getByRole("button", { name: "Show more" }).click();
  await expect.element(screen.getByText("Leaving it in the car")).toBeVisible();
});

test("who has made nothing is led to the generator", async () => {
  const { screen } = await show(<Page />, journey([[]]));
  await expect.element(screen.getByText("Nothing made yet")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "Make a meditation" }))
    .toHaveAttribute("href", "/bespoke-meditation-generator");
  expect(await axeFaults()).toEqual([]);
});

test("a list that could not be read says so, and is read again at a press", async () => {
  let away = true;
  const { screen } = await show(<Page />, {
    gateway: ({ rpc }) =>
      rpc(JourneyService.method.listBespoke, () => {
        if (away) throw new ConnectError("no", Code.Internal);
        return { meditations: MADE, total: MADE.length };
      }),
  });
  await expect.element(screen.getByRole("alert")).toBeVisible();
  away = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("link", { name: "After the long meeting" })).toBeVisible();
});

test.for([360, 900])("the list grows below what is looked at, %s px wide", async (width) => {
  await page.viewport(width, 740);
  const many = (from: number) =>
    Array.from({ length: 12 }, (_, i) => meditation({ id: `n${from + i}`, title: `Number ${from + i}` }));
  const { screen } = await show(
    <>
      <Page />
      <Footer />
    </>,
    journey([many(0), many(12)]),
  );
  const more = screen.getByRole("button", { name: "Show more" });
  await expect.element(more).toBeVisible();
  // Only what leads on is in the window: nothing above the button could hold the place.
  window.scrollBy({ top: more.element().getBoundingClientRect().top - 20, behavior: "instant" });
  const before = window.scrollY;
  (more.element() as HTMLElement).click();
  await expect.element(screen.getByText("Number 23")).toBeInTheDocument();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  expect(window.scrollY).toBe(before);
  await page.viewport(900, 800);
});
