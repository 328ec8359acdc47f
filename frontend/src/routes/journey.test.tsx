import { create } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { SavedKind } from "@/gen/serein/web/v1/generator_pb";
import { JourneyService, ListSavedResponseSchema } from "@/gen/serein/web/v1/generator_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { articleCard } from "@/testing/content";
import { meditation } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import JourneyPage from "./journey";

const MADE = [meditation(), meditation({ id: "m2", title: "Not counting the hours" })];
const SAVED = [articleCard("rest", "Rest is not a reward", "Better Sleep")];

async function open(path: string) {
  const asked: SavedKind[] = [];
  const setting = await show(
    <main>
      <JourneyPage />
    </main>,
    {
      path,
      gateway: ({ rpc }) => {
        rpc(JourneyService.method.getJourney, ({ search }) =>
          search
            ? { introductions: 0, bespoke: 1, library: 0, articles: 0 }
            : { introductions: 3, bespoke: 2, library: 12, articles: 1, deleted: 4 },
        );
        rpc(JourneyService.method.listBespoke, ({ search }) => {
          const found = MADE.filter(({ title }) => title.includes(search));
          return { meditations: found, total: found.length };
        });
        rpc(JourneyService.method.listSaved, ({ kind }) => {
          asked.push(kind);
          return create(ListSavedResponseSchema, { articles: SAVED, total: 1 });
        });
      },
    },
  );
  return { ...setting, asked };
}

test("the search stands in the address and comes again with it, and the tabs count what it finds", async () => {
  const { screen } = await open("/journey");
  await screen.getByLabelText("Search Journey Items").fill("hours & days");
  await expect.poll(() => window.location.search).toBe("?search=hours+%26+days");
  await screen.getByLabelText("Search Journey Items").fill("");
  await expect.poll(() => window.location.search).toBe("");
  await screen.unmount();
  const again = await open("/journey?search=hours");
  await expect.element(again.screen.getByText("1 found")).toBeVisible();
  await expect.element(again.screen.getByRole("tab", { name: "Bespoke Meditations 1" })).toBeVisible();
  await again.screen.getByLabelText("Search Journey Items").fill("");
  await expect.element(again.screen.getByRole("tab", { name: "Bespoke Meditations 2" })).toBeVisible();
});

test("every tab has its count before it is opened, and only the open one is asked for", async () => {
  const { screen, asked } = await open("/journey");
  await expect.element(screen.getByRole("tab", { name: "Introduction Meditations 3" })).toBeVisible();
  await expect.element(screen.getByRole("tab", { name: "Bespoke Meditations 2" })).toBeVisible();
  await expect.element(screen.getByRole("tab", { name: "Library Meditations 12" })).toBeVisible();
  await expect.element(screen.getByRole("tab", { name: "Recently Deleted 4" })).toBeInTheDocument();
  await expect.element(screen.getByRole("link", { name: "After the long meeting" })).toBeVisible();
  expect(asked).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

/** The page's blocks of data as the gateway writes them for a member. */
function writePage(uid: string, page: string) {
  const block = (id: string, holds: unknown) => {
    const script = document.createElement("script");
    Object.assign(script, { type: "application/json", id, textContent: JSON.stringify(holds) });
    document.head.append(script);
    onTestFinished(() => script.remove());
  };
  block("boot", { member: { uid } });
  block("page", {
    page,
    answers: [
      { bespoke: 31 },
      { total: 31, meditations: [{ id: "m9", title: "Written into the page", stage: "STAGE_READY" }] },
    ],
  });
}

test("the answers that the gateway has written into the member's page are not asked for again", async () => {
  writePage(member().uid, "/journey");
  const { screen } = await open("/journey");
  await expect.element(screen.getByRole("tab", { name: "Bespoke Meditations 31" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Written into the page" })).toBeVisible();
});

test.each([
  ["another member", "someone-else", "/journey"],
  ["another page", member().uid, "/members"],
])("the answers of %s are left alone", async (_, uid, page) => {
  writePage(uid, page);
  const { screen } = await open("/journey");
  await expect.element(screen.getByRole("link", { name: "After the long meeting" })).toBeVisible();
  await expect.element(screen.getByText("Written into the page")).not.toBeInTheDocument();
});

test("the tab stands in the address, and a reload opens it again", async () => {
  const before = window.history.length;
  const { screen } = await open("/journey");
  await screen.getByRole("tab", { name: "My Articles 1" }).click();
  await expect.element(screen.getByRole("link", { name: "Rest is not a reward" })).toBeInViewport();
  expect(window.location.search).toBe("?tab=articles");
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
  await expect.poll(() => window.location.search).toBe("");
  expect(window.history.length).toBeLessThanOrEqual(before + 1);
  await screen.unmount();
  const again = await open("/journey?tab=articles");
  await expect.element(again.screen.getByRole("link", { name: "Rest is not a reward" })).toBeInViewport();
  await expect
    .element(again.screen.getByRole("tab", { name: "My Articles 1" }))
    .toHaveAttribute("aria-selected", "true");
  await again.screen.getByRole("tab", { name: "Recently Deleted 4" }).click();
  await expect.element(again.screen.getByRole("heading", { name: "Recently Deleted" })).toBeInViewport();
});

test("the courses that the member takes stand above, each with its next day", async () => {
  const { screen } = await show(
    <main>
      <JourneyPage />
    </main>,
    {
      path: "/journey",
      gateway: ({ rpc }) => {
        rpc(JourneyService.method.getJourney, () => ({}));
        rpc(JourneyService.method.listBespoke, () => ({ meditations: MADE, total: 2 }));
        rpc(CoursesService.method.listMyCourses, () => ({
          courses: [
            {
              card: { id: "e", slug: "evenings", title: "Seven Quiet Evenings" },
              next: { id: "t", title: "Let them get off" },
            },
            { card: { id: "w", slug: "week", title: "A First Week", finished: true } },
          ],
        }));
      },
    },
  );
  const courses = screen.getByRole("region", { name: "Your courses" });
  await expect.element(courses.getByText("Next: Let them get off")).toBeVisible();
  await expect
    .element(courses.getByRole("link", { name: "A First Week" }))
    .toHaveAttribute("href", "/courses/week");
  await expect.element(courses.getByText("All done")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});
