import { Code, ConnectError } from "@connectrpc/connect";
import type { ConnectRouter } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { GetMemberHomeRequest } from "@/gen/serein/web/v1/home_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { HomeService } from "@/gen/serein/web/v1/home_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import { meditation, segments } from "@/testing/meditations";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { Own } from "./Own";

const card = (id: string, title: string) => ({
  id,
  title,
  category: { id: "gratitude", name: "Gratitude", confidence: 100 },
  verified: true,
  narratorName: "Maren",
  audioUrl: `/media/narrations/${id}.mp3`,
  audioSeconds: 366,
});
const FIELD = card("field", "What the field gave");

const bespoke = {
  item: { kind: ItemKind.BESPOKE, id: "m1" },
  positionMs: 20_000n,
  durationMs: 140_000n,
  card: { case: "bespoke" as const, value: meditation() },
};

interface Scene {
  home?: object | Error;
  places?: object[] | Error;
  courses?: object[];
  who?: Parameters<typeof member>[0];
}

async function open({ home = { meditation: FIELD }, places = [], courses = [], who = {} }: Scene = {}) {
  const asked: GetMemberHomeRequest[] = [];
  const gateway = ({ rpc }: ConnectRouter) => {
    rpc(HomeService.method.getMemberHome, (request) => {
      asked.push(request);
      if (home instanceof Error) throw home;
      return home;
    });
    rpc(PlayerService.method.listPlaces, () => {
      if (places instanceof Error) throw places;
      return { places };
    });
    rpc(CoursesService.method.listMyCourses, () => ({ courses }));
    rpc(GeneratorService.method.watchMeditation, async function* () {
      yield { meditation: meditation(), newSegments: segments(6) };
    });
  };
  const made = await show(
    <main>
      <h1>Home</h1>
      <Own />
    </main>,
    { member: member(who), gateway },
  );
  await expect.element(made.screen.getByRole("heading", { level: 3 }).first()).toBeVisible();
  return { ...made, asked };
}

const plan = (more: object) => ({
  plan: { ...member().plan, ...more } as NonNullable<ReturnType<typeof member>["plan"]>,
});
const gone = () => new ConnectError("no route", Code.NotFound);

afterEach(() => page.viewport(900, 800));

test("a member is greeted by name and their own hour, with what is left, what was begun and one thing for now", async () => {
  const { screen, asked } = await open({
    places: [bespoke],
    who: { credits: { plan: 2, topUp: 1, held: 0 } },
  });
  const now = new Date();
  expect(asked[0]?.hour).toBe(now.getHours());
  expect(asked[0]?.localDate).toBe("2026-11-23");
  await expect
    .element(screen.getByRole("region", { name: /^Good (morning|afternoon|evening), Amara$/ }))
    .toBeVisible();
  await expect.element(screen.getByText(/3 credits to use\./)).toBeVisible();
  await expect.element(screen.getByText("2 minutes left")).toBeVisible();
  await expect.element(screen.getByText("6 minutes, Gratitude")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a press carries on with what was begun, in the player at the foot", async () => {
  const { screen, player } = await open({ places: [bespoke] });
  await screen.getByRole("button", { name: "Play After the long meeting" }).click();
  await expect.poll(() => player.engine.snapshot().wanted).toBe(true);
  expect(player.id).toBe("m1");
  await expect.element(screen.getByRole("region", { name: "Now playing" })).toBeInViewport();
  await screen.getByRole("button", { name: "Pause After the long meeting" }).click();
  expect(player.engine.snapshot().wanted).toBe(false);
  await screen.getByRole("button", { name: "Play What the field gave" }).click();
  await expect.poll(() => player.id).toBe("library/field");
});

test("where nothing was begun the suggestion takes the whole place", async () => {
  const { screen } = await open();
  const part = screen.getByRole("article");
  expect(part.elements()).toHaveLength(1);
  const width = (of: Element | null | undefined) => of?.getBoundingClientRect().width;
  expect(width(part.element())).toBe(width(part.element().parentElement));
});

test("the next day of a course that goes on stands in the place of the suggestion", async () => {
  const done = { card: { id: "week", slug: "week", title: "A First Week", finished: true } };
  const evenings = {
    card: { id: "evenings", slug: "evenings", title: "Seven Quiet Evenings", taken: true },
    next: { id: "train", title: "Let them get off", line: "The errands have tickets.", number: 2 },
  };
  const { screen } = await open({ places: [bespoke], courses: [done, evenings] });
  await expect
    .element(screen.getByRole("link", { name: "Let them get off" }))
    .toHaveAttribute("href", "/courses/evenings");
  await expect.element(screen.getByText("Next in Seven Quiet Evenings")).toBeVisible();
  expect(screen.getByRole("article").elements()).toHaveLength(2);
  expect(screen.getByText("What the field gave").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("what was begun is not suggested a second time", async () => {
  const { screen } = await open({
    places: [
      {
        item: { kind: ItemKind.MEDITATION, id: "field" },
        positionMs: 1000n,
        durationMs: 366_000n,
        card: { case: "meditation", value: FIELD },
      },
    ],
  });
  expect(screen.getByRole("article").elements()).toHaveLength(1);
  await expect.element(screen.getByText("Carry on")).toBeVisible();
});

test("a title leads to the generator, which finds it in the history entry", async () => {
  const { screen } = await open({ home: { title: "A calm start" } });
  await screen.getByRole("link", { name: "A calm start" }).click();
  expect(window.location.pathname).toBe("/bespoke-meditation-generator");
  expect(window.location.search).toBe("");
  expect(window.history.state).toEqual({ title: "A calm start" });
});

test("what could not be asked for is left out, and there is always a way on", async () => {
  const half = await open({ home: gone(), places: [bespoke] });
  await expect.element(half.screen.getByText("Carry on")).toBeVisible();
  await half.screen.unmount();
  const none = await open({ home: gone(), places: gone() });
  await expect.element(none.screen.getByRole("link", { name: "Make a meditation" })).toBeVisible();
  await none.screen.unmount();
  const over = await open({
    home: {},
    who: { ...plan({ active: false }), credits: { plan: 0, topUp: 0, held: 0 } },
  });
  await expect.element(over.screen.getByText(/You keep everything you’ve made\./)).toBeVisible();
  await expect
    .element(over.screen.getByRole("link", { name: "Have a look at the memberships" }))
    .toHaveAttribute("href", "/memberships");
});

test("a visitor has no such place", async () => {
  const { screen } = await show(<Own />, { member: null });
  expect(screen.container.firstElementChild?.getBoundingClientRect().height).toBe(0);
});

test.for([360, 900, 1440])("the place that is kept is as high as what comes, at %s px", async (width) => {
  await page.viewport(width, 800);
  document.documentElement.dataset["member"] = "";
  const kept = await show(<Own />, { member: null });
  const height = kept.screen.container.firstElementChild?.getBoundingClientRect().height;
  await kept.screen.unmount();
  for (const places of [[bespoke], []]) {
    const { screen } = await open({ places });
    const own = screen.getByRole("region", { name: /^Good/ }).element();
    expect(own.getBoundingClientRect().height).toBe(height);
    await screen.unmount();
  }
  delete document.documentElement.dataset["member"];
});
