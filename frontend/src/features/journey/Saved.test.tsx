import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import type { ListSavedRequest } from "@/gen/serein/web/v1/generator_pb";
import {
  AmbientTrackSchema,
  JourneyService,
  ListSavedResponseSchema,
  SavedKind,
} from "@/gen/serein/web/v1/generator_pb";
import { ItemService, StandingSchema } from "@/gen/serein/web/v1/items_pb";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { CARDS } from "@/testing/content";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { toaster } from "@/ui/toast/store";
import Saved from "./Saved";

const lake = (id: string, title: string) => ({
  id,
  title,
  category: { id: "better-sleep", name: "Better Sleep", confidence: 100 },
  immersive: true,
  verified: true,
  narratorName: "Maren",
  audioUrl: `/media/narrations/${id}.mp3`,
  audioSeconds: 492,
  standing: { likes: 4, liked: false, saved: true },
});
const LIBRARY = [lake("m1", "The lake after rain"), lake("m2", "Bend, and stay"), lake("m3", "Raked gravel")];
const standing = create(StandingSchema, { likes: 48, saved: true });
const ARTICLES = CARDS.slice(0, 2).map((card) => ({ ...card, standing }));

const TRACK = create(AmbientTrackSchema, {
  id: "warm",
  name: "Warm",
  url: "/media/tracks/warm.mp3",
  loopLengthMs: 60_000,
});

/** What was told, and the number beside My Journey, where the app would show them. */
function Around() {
  const told = useStore(toaster.list).map(({ id, text }) => <p key={id}>{text}</p>);
  return (
    <>
      {told}
      <p>{useMember()?.journeyCount} in the bar</p>
    </>
  );
}

interface Scene {
  of?: "introduction" | "library" | "articles";
  search?: string;
  onClear?: () => void;
  plan?: string[];
  answer?: (request: ListSavedRequest) => object;
}

async function open({ of = "library", search = "", onClear = () => {}, plan, answer }: Scene = {}) {
  const saved: boolean[] = [];
  const asked: ListSavedRequest[] = [];
  let counted = 0;
  const who = member({ journeyCount: 20 });
  const setting = await show(
    <main>
      <h1>My Journey</h1>
      <Saved of={of} search={search} onClear={onClear} />
      <Around />
    </main>,
    {
      member: plan && who.plan ? { ...who, plan: { ...who.plan, entitlements: plan } } : who,
      gateway: ({ rpc }) => {
        rpc(JourneyService.method.listSaved, (request) => {
          asked.push(request);
          return create(ListSavedResponseSchema, {
            meditations: request.kind === SavedKind.ARTICLE ? [] : LIBRARY,
            articles: request.kind === SavedKind.ARTICLE ? ARTICLES : [],
            total: 3,
            tracks: [TRACK],
            ...answer?.(request),
          });
        });
        rpc(JourneyService.method.getJourney, () => ({ library: ++counted }));
        rpc(ItemService.method.setSaved, (request) => {
          saved.push(request.saved);
          return { standing: { likes: 4, liked: false, saved: request.saved }, changed: true };
        });
      },
    },
  );
  return { ...setting, saved, asked };
}

const bookmark = (title: string) => ({ name: `Save ${title} to My Journey` });

test("what is saved of the library is played by a press, with the sound of the library beneath", async () => {
  const { screen, player, asked } = await open();
  const opened = vi.spyOn(player, "openRecorded");
  await screen.getByRole("button", { name: "Play The lake after rain" }).click();
  expect(opened.mock.lastCall?.[0]).toMatchObject({
    title: "The lake after rain",
    loop: { url: "/media/tracks/warm.mp3" },
  });
  expect(asked.map(({ kind, search }) => [kind, search])).toEqual([[SavedKind.LIBRARY, ""]]);
  expect(await axeFaults()).toEqual([]);
});

test("one that is taken out says so, stays until the list is opened again, and can be taken back in", async () => {
  const { screen, saved, asked } = await open();
  const lakes = screen.getByRole("button", bookmark("The lake after rain"));
  await expect.element(lakes).toHaveAttribute("aria-pressed", "true");
  await lakes.click();
  await expect.element(screen.getByText("Item removed from your Dashboard")).toBeVisible();
  await expect.element(screen.getByText("19 in the bar")).toBeVisible();
  await expect.element(lakes).toHaveAttribute("aria-pressed", "false");
  await expect.element(lakes).toHaveFocus();
  await lakes.click();
  await expect.element(screen.getByText("The lake after rain has been added to your Journey")).toBeVisible();
  await expect.element(screen.getByText("20 in the bar")).toBeVisible();
  expect(saved).toEqual([false, true]);
  expect(asked).toHaveLength(1);
});

test("an article leads to its page, and can be taken out; the bar counts meditations", async () => {
  const { screen } = await open({ of: "articles" });
  await expect
    .element(screen.getByRole("link", { name: "Rest is not a reward" }))
    .toHaveAttribute("href", "/articles/rest-is-not-a-reward");
  await screen.getByRole("button", bookmark("Rest is not a reward")).click();
  await expect.element(screen.getByText("Item removed from your Dashboard")).toBeVisible();
  await expect.element(screen.getByText("20 in the bar")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a longer list is fetched page by page", async () => {
  const { screen } = await open({
    answer: ({ pageToken }) =>
      pageToken === "2"
        ? { meditations: LIBRARY.slice(2) }
        : { meditations: LIBRARY.slice(0, 2), nextPageToken: "2" },
  });
  await expect.element(screen.getByText("Bend, and stay")).toBeVisible();
  expect(screen.getByText("Raked gravel").query()).toBeNull();
  await screen.getByRole("button", { name: "Show more" }).click();
  await expect.element(screen.getByText("Raked gravel")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show more" }).query()).toBeNull();
});

test.each([
  ["introduction", "Open the library", "/meditation-library"],
  ["library", "Open the library", "/meditation-library"],
  ["articles", "Find something to read", "/articles"],
] as const)("an empty panel leads to what can be kept: %s", async (of, name, href) => {
  const { screen } = await open({ of, answer: () => ({ meditations: [], articles: [], total: 0 }) });
  await expect.element(screen.getByText("Nothing kept here yet")).toBeVisible();
  await expect.element(screen.getByRole("link", { name })).toHaveAttribute("href", href);
  expect(await axeFaults()).toEqual([]);
});

test("whose plan has no library is not led there", async () => {
  const { screen } = await open({ plan: ["generator"], answer: () => ({ meditations: [], total: 0 }) });
  await expect.element(screen.getByText("Nothing kept here yet")).toBeVisible();
  expect(screen.getByRole("link").query()).toBeNull();
});

test("a search says how many it found, and can be cleared where it found nothing", async () => {
  const found = await open({ search: "lake", answer: () => ({ total: 3 }) });
  await expect.element(found.screen.getByText("3 found")).toBeVisible();
  await found.screen.unmount();
  const onClear = vi.fn();
  const none = await open({ search: "zzz", onClear, answer: () => ({ meditations: [], total: 0 }) });
  await expect
    .element(
      none.screen.getByText(
        "Sorry, there are no items which match your search text. Please try different search text.",
      ),
    )
    .toBeVisible();
  await none.screen.getByRole("button", { name: "Clear the search" }).click();
  expect(onClear).toHaveBeenCalledOnce();
});

test("a list that could not be read says so, and is read again at a press", async () => {
  let away = true;
  const { screen } = await open({
    answer: () => {
      if (away) throw new ConnectError("no", Code.Internal);
      return {};
    },
  });
  await expect.element(screen.getByRole("alert")).toBeVisible();
  away = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("Bend, and stay")).toBeVisible();
});
