import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import type { Member } from "@/lib/boot";
import { RouteParams } from "@/lib/router";
import { START_DELAY_MS } from "@/player/engine/engine";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { mockCourses } from "@/testing/mock-courses";
import { axeFaults, show } from "@/testing/page";
import { CoursePage } from "./CoursePage";
import { CoursesPage } from "./CoursesPage";

interface Opened {
  who?: Member | null;
  taken?: boolean;
}

/** The page of a course, and what was asked of the gateway. */
async function open({ who = member(), taken = true }: Opened = {}) {
  const calls: string[][] = [];
  const shown = await show(
    <RouteParams value={{ course: "seven-quiet-evenings" }}>
      <main>
        <CoursePage />
      </main>
    </RouteParams>,
    {
      member: who,
      path: "/courses/seven-quiet-evenings",
      gateway: (router: ConnectRouter) => void calls.push(mockCourses(router, who !== null, taken).calls),
    },
  );
  await expect.element(shown.screen.getByRole("heading", { name: "Seven Quiet Evenings" })).toBeVisible();
  const day = (title: string) => shown.screen.getByRole("listitem").filter({ hasText: title });
  return { ...shown, calls: calls[0] ?? [], day };
}

const plain = member({ plan: null });

test("courses are listed for everybody, and a member sees which they have begun", async () => {
  const { screen } = await show(
    <main>
      <CoursesPage />
    </main>,
    { path: "/courses", gateway: (router) => void mockCourses(router, true) },
  );
  await expect
    .element(screen.getByRole("link", { name: "Seven Quiet Evenings" }))
    .toHaveAttribute("href", "/courses/seven-quiet-evenings");
  await expect.element(screen.getByText("Begun")).toBeVisible();
  await expect.element(screen.getByText("4 days")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a visitor sees the opening words, the titles and what is open, and is asked to join", async () => {
  const { screen, day } = await open({ who: null, taken: false });
  await expect.element(screen.getByText(/An evening has a shape/)).toBeVisible();
  await expect
    .element(day("Where did it turn?").getByRole("link", { name: "Read What the breath knows first" }))
    .toHaveAttribute("href", "/articles/what-the-breath-knows-first");
  await expect.element(day("Let them get off")).toBeVisible();
  expect(day("Let them get off").getByRole("button").query()).toBeNull();
  await expect.element(screen.getByRole("button", { name: "Start your free trial" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a member whose plan has no library sees what opens the days", async () => {
  const { screen } = await open({ who: plain, taken: false });
  await expect.element(screen.getByRole("link", { name: "View Our Memberships" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Start this course" }).query()).toBeNull();
});

test("a course is started, and days are done and undone in any order", async () => {
  const { screen, calls, day } = await open({ taken: false });
  expect(screen.getByRole("button", { name: "Done with Let them get off" }).query()).toBeNull();
  await screen.getByRole("button", { name: "Start this course" }).click();
  await expect.element(day("Where did it turn?").getByText("Next")).toBeVisible();
  await screen.getByRole("button", { name: "Done with For the small hours" }).click();
  await expect.element(day("For the small hours").getByText("Done.")).toBeInTheDocument();
  await screen.getByRole("button", { name: "Done with Where did it turn?" }).click();
  await expect.element(day("Let them get off").getByText("Next")).toBeVisible();
  await screen.getByRole("button", { name: "Undo: Where did it turn? isn’t done" }).click();
  await expect.element(day("Where did it turn?").getByText("Next")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  expect(calls).toEqual(["start", "done small-hours", "done history", "undo history"]);
});

test("the path goes past a day that is away, to its end", async () => {
  const { screen, day } = await open();
  await expect
    .element(screen.getByRole("link", { name: "Read What the breath knows first" }))
    .toHaveAttribute("href", "/articles/what-the-breath-knows-first?course=seven-quiet-evenings");
  await expect.element(day("Across the street")).toHaveTextContent("taken out for now");
  await screen.getByRole("button", { name: "Done with Let them get off" }).click();
  await expect.element(day("For the small hours").getByText("Next")).toBeVisible();
  await screen.getByRole("button", { name: "Done with For the small hours" }).click();
  await expect.element(screen.getByText(/That was the last day/)).toBeVisible();
});

test("starting over and leaving ask first, and the keyboard does both", async () => {
  const { screen, calls } = await open();
  const menu = screen.getByRole("button", { name: "More about this course" });
  await menu.click();
  await screen.getByRole("menuitem", { name: "Start over" }).click();
  const over = screen.getByRole("dialog", { name: "Start over?" });
  await over.getByRole("button", { name: "Keep it as it is" }).click();
  expect(calls).toEqual([]);
  await menu.click();
  await screen.getByRole("menuitem", { name: "Start over" }).click();
  expect(await axeFaults()).toEqual([]);
  await screen.getByRole("dialog").getByRole("button", { name: "Start over" }).click();
  await expect.element(screen.getByRole("button", { name: "Done with Where did it turn?" })).toBeVisible();
  await menu.click();
  await screen.getByRole("menuitem", { name: "Leave this course" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "Leave this course" }).click();
  await expect.element(screen.getByRole("button", { name: "Start this course" })).toBeVisible();
  expect(calls).toEqual(["over", "leave"]);
});

test("a member who takes ten courses reads why an eleventh does not start", async () => {
  const full = () => {
    throw failure(Code.ResourceExhausted, "You can take 10 courses at once.", "COURSES_FULL", "");
  };
  const { screen } = await show(
    <RouteParams value={{ course: "seven-quiet-evenings" }}>
      <main>
        <CoursePage />
      </main>
    </RouteParams>,
    {
      path: "/courses/seven-quiet-evenings",
      gateway: (router) => {
        mockCourses(router, true, false);
        router.rpc(CoursesService.method.startCourse, full);
      },
    },
  );
  await screen.getByRole("button", { name: "Start this course" }).click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("You can take 10 courses at once.");
});

test("a meditation of a day is played where it stands", async () => {
  const { day, world } = await open();
  const step = day("Let them get off");
  await step.getByRole("button", { name: "Play What the field gave" }).click();
  world.pass(START_DELAY_MS);
  world.audio.arrive();
  await expect.element(step.getByRole("button", { name: "Pause What the field gave" })).toBeVisible();
});
