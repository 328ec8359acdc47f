import { Code, ConnectError } from "@connectrpc/connect";
import { Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { search as copy } from "@/copy/search";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import type { SearchRequest } from "@/gen/serein/web/v1/search_pb";
import { SearchService } from "@/gen/serein/web/v1/search_pb";
import type { Member } from "@/lib/boot";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import Search from "./Search";

const { BESPOKE, ARTICLE, MEDITATION } = ItemKind;
const plain = (text: string) => [{ text, matched: false }];
const rain = { text: "rain", matched: true };

const match = (kind: ItemKind, id: string, more: object = {}) => ({
  item: { kind, id },
  title: plain(id),
  excerpt: plain("The lake is quiet."),
  category: { id: "better-sleep", name: "Better Sleep", confidence: 100 },
  ...more,
});

const group = (kind: ItemKind, ...matches: object[]) => ({ kind, matches, total: matches.length });
const FOUND = [
  group(BESPOKE),
  group(
    ARTICLE,
    match(ARTICLE, "a1", {
      slug: "on-rain",
      title: [{ text: "On <b>", matched: false }, rain],
    }),
    match(ARTICLE, "a2", { slug: "late", excerpt: [{ text: "…in the ", matched: false }, rain] }),
  ),
  group(
    MEDITATION,
    match(MEDITATION, "m1", {
      title: [{ text: "The lake after ", matched: false }, rain],
      immersive: true,
      audioSeconds: 492,
    }),
  ),
];
const CATEGORIES = ["Better Sleep", "Anger"].map((name) => ({
  id: name.toLowerCase().replace(" ", "-"),
  name,
  count: 2,
}));

interface Scene {
  path?: string;
  who?: Member;
  state?: unknown;
  answer?: (request: SearchRequest) => object | Promise<object>;
}

/** What answers: nothing to nothing, and all of it to anything else. */
const usual = ({ text, category }: SearchRequest) => ({ groups: text || category ? FOUND : [] });

async function open({ path = "/?find=", who = member(), state, answer = usual }: Scene = {}) {
  const asked: SearchRequest[] = [];
  const made = await show(
    <Suspense>
      <Search />
    </Suspense>,
    {
      path,
      state,
      member: who,
      gateway: ({ rpc }) =>
        rpc(SearchService.method.search, async (request) => {
          asked.push(request);
          return { categories: CATEGORIES, ...(await answer(request)) };
        }),
    },
  );
  return { ...made, asked };
}

const field = () => page.getByLabelText("Type to find content");
const tab = (name: RegExp) => page.getByRole("tab", { name });
const hits = () => page.getByRole("tabpanel").getByRole("link").elements();

afterEach(async () => {
  vi.useRealTimers();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await page.viewport(900, 800);
});

test("while nothing is typed there are the categories, and the field has the focus", async () => {
  const { screen, asked } = await open();
  await expect.element(field()).toHaveFocus();
  await expect.element(screen.getByRole("button", { name: "Better Sleep" })).toBeVisible();
  expect(screen.getByRole("tab").elements()).toEqual([]);
  expect(screen.getByRole("button", { name: "Clear" }).elements()).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(await axeFaults()).toEqual([]);
});

test("typing finds once it rests: tabs with counts, what matched marked, and it said aloud", async () => {
  const { screen, asked } = await open();
  await expect.element(field()).toHaveFocus();
  // Between two letters there is no time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await userEvent.keyboard("rain");
  await expect.element(tab(/Articles/)).toHaveTextContent("Articles 2");
  await expect.element(tab(/Bespoke/)).toHaveTextContent("Bespoke Meditations 0");
  await expect.element(tab(/^Meditations/)).toHaveTextContent("Meditations 1");
  expect(asked.map(({ text }) => text)).toEqual(["", "rain"]);
  expect(window.location.search).toBe("?find=rain");
  // The first tab that holds something.
  await expect.element(tab(/Articles/)).toHaveAttribute("aria-selected", "true");
  const titles = hits().map((hit) => hit.querySelector("b")?.textContent);
  expect(titles).toEqual(["On <b>rain", "a2"]);
  expect(hits()[0]?.querySelector("mark")?.textContent).toBe("rain");
  expect(hits()[1]?.textContent).toContain("Better Sleep. “…in the rain”");
  await expect
    .element(screen.getByText("Bespoke Meditations: 0. Articles: 2. Meditations: 1."))
    .toHaveRole("status");
  vi.useRealTimers();
  expect(await axeFaults()).toEqual([]);
});

test("words, tab and category stand in the address, and come again with it", async () => {
  const { asked } = await open({ path: "/?find=rain&find-in=meditations&find-category=anger" });
  await expect.element(field()).toHaveValue("rain");
  await expect.element(tab(/^Meditations/)).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByText("Better Sleep, immersive, 8 min")).toBeVisible();
  await expect.element(page.getByText("Filed in Anger.")).toBeVisible();
  expect(asked).toMatchObject([{ text: "rain", category: "anger" }]);
  await tab(/Articles/).click();
  await expect.poll(() => window.location.search).toBe("?find=rain&find-in=articles&find-category=anger");
});

test("a category shows what is filed there; clearing brings the tiles and the focus back", async () => {
  const { screen, asked } = await open();
  await screen.getByRole("button", { name: "Anger" }).click();
  await expect.element(screen.getByText("Filed in Anger.")).toBeVisible();
  expect(asked.at(-1)).toMatchObject({ text: "", category: "anger" });
  await screen.getByRole("button", { name: "Search everywhere" }).click();
  await expect.element(screen.getByRole("button", { name: "Anger" })).toBeVisible();
  await field().fill("rain");
  await expect.element(tab(/Articles/)).toBeVisible();
  await screen.getByRole("button", { name: "Clear" }).click();
  await expect.element(screen.getByRole("button", { name: "Anger" })).toBeVisible();
  await expect.element(field()).toHaveValue("");
  await expect.element(field()).toHaveFocus();
  expect(window.location.search).toBe("?find=");
});

test("until an answer is there it says that it looks, and nothing of another question is taken for it", async () => {
  const held: (() => void)[] = [];
  const wait = () => new Promise<void>((done) => held.push(done));
  const { screen } = await open({
    answer: async ({ text }) => {
      if (text) await wait();
      return { groups: text === "rain" ? FOUND : [] };
    },
  });
  await expect.element(screen.getByRole("button", { name: "Anger" })).toBeVisible();
  await field().fill("rain");
  await expect.element(screen.getByRole("status", { name: "Searching" })).toBeVisible();
  expect(screen.getByText(copy.none.title).query()).toBeNull();
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  await expect.element(tab(/Articles/)).toBeVisible();
  await field().fill("umbrella");
  // What was found before stands, and is no answer: Enter does not open it.
  await expect.element(page.getByRole("tabpanel")).toHaveAttribute("aria-busy", "true");
  await userEvent.keyboard("{Enter}");
  expect(window.location.pathname).toBe("/");
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  await expect.element(screen.getByText(copy.none.title)).toBeVisible();
});

test("nothing found is said in the given words, and one can be made", async () => {
  const { screen } = await open({ path: "/?find=umbrella", answer: () => ({ groups: [] }) });
  const words = "Sorry, there are no items which match your search text. Please try different search text.";
  await expect.element(screen.getByRole("status")).toHaveTextContent(words);
  await expect
    .element(screen.getByRole("link", { name: "Make one about it" }))
    .toHaveAttribute("href", "/bespoke-meditation-generator");
  expect(await axeFaults()).toEqual([]);
});

test("each leads to where it is read or heard, and the player back to the page under the search", async () => {
  const answer = () => ({
    groups: [
      group(BESPOKE, match(BESPOKE, "b/1")),
      group(ARTICLE, match(ARTICLE, "a1", { slug: "on-rain" })),
      group(MEDITATION, match(MEDITATION, "Bend & stay"), match(MEDITATION, "Lake", { immersive: true })),
    ],
  });
  await open({ path: "/about?of=mine&find=rain", answer });
  const leads = () => hits().map((hit) => hit.getAttribute("href"));
  await expect.poll(leads).toEqual(["/journey/b%2F1"]);
  await tab(/Articles/).click();
  await expect.poll(leads).toEqual(["/articles/on-rain"]);
  await tab(/^Meditations/).click();
  await expect
    .poll(leads)
    .toEqual(["/meditation-library?kind=voice&search=Bend+%26+stay", "/meditation-library?search=Lake"]);
  await tab(/Bespoke/).click();
  await page.getByRole("tabpanel").getByRole("link").click();
  await expect.poll(() => window.location.pathname).toBe("/journey/b%2F1");
  expect(window.history.state).toEqual({ from: "/about?of=mine" });
});

test("a plan without the library says so, and leads to the memberships", async () => {
  const amara = member();
  const plan = amara.plan && { ...amara.plan, entitlements: ["generator"] };
  await open({ path: "/?find=rain&find-in=meditations", who: { ...amara, plan } });
  await expect.element(page.getByText(`Better Sleep. ${copy.notIncluded}`)).toBeVisible();
  expect(hits().map((hit) => hit.getAttribute("href"))).toEqual(["/memberships"]);
  expect(await axeFaults()).toEqual([]);
});

test("a hit shows its editor's picture, or its print if it has no picture", async () => {
  const picture = { url: "/media/assets/0a/bench.webp", alt: "A bench", width: 4, height: 5 };
  const found = group(ARTICLE, match(ARTICLE, "a1", { picture }), match(ARTICLE, "a2"));
  await open({ path: "/?find=rain", answer: () => ({ groups: [found] }) });
  await expect
    .poll(() => hits().map((hit) => hit.querySelector("img")?.getAttribute("src")))
    .toEqual([picture.url, undefined]);
  expect(hits().map((hit) => hit.querySelector("svg[viewBox='0 0 128 128']") !== null)).toEqual([
    false,
    true,
  ]);
});

test("more of a kind is shown when it is asked for, page by page", async () => {
  const pages: Record<string, object> = {
    "": { ...group(ARTICLE, match(ARTICLE, "first")), total: 3, nextPageToken: "2" },
    "2": { ...group(ARTICLE, match(ARTICLE, "second")), total: 3, nextPageToken: "3" },
    "3": { ...group(ARTICLE, match(ARTICLE, "third")), total: 3 },
  };
  const { screen, asked } = await open({
    path: "/?find=rain",
    answer: ({ pageToken }) => ({ groups: [pages[pageToken]] }),
  });
  const more = screen.getByRole("button", { name: "Show more" });
  await more.click();
  await expect.element(screen.getByText("second")).toBeVisible();
  expect(asked.at(-1)).toMatchObject({ text: "rain", kind: ARTICLE, pageToken: "2" });
  await more.click();
  await expect.element(screen.getByText("third")).toBeVisible();
  expect(hits().map((hit) => hit.querySelector("b")?.textContent)).toEqual(["first", "second", "third"]);
  await expect.poll(() => more.query()).toBeNull();
});

test("a page that cannot be had says so, and can be asked for again", async () => {
  let fails = true;
  const { screen } = await open({
    path: "/?find=rain",
    answer: ({ pageToken }) => {
      if (pageToken && fails) throw new ConnectError("no", Code.Internal);
      const id = pageToken ? "second" : "first";
      const next = pageToken ? "" : "2";
      return { groups: [{ ...group(ARTICLE, match(ARTICLE, id)), total: 2, nextPageToken: next }] };
    },
  });
  await screen.getByRole("button", { name: "Show more" }).click();
  await expect.element(screen.getByRole("alert")).toBeVisible();
  fails = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("second")).toBeVisible();
  await expect.element(screen.getByText("first")).toBeVisible();
});

test("after another release the first page is asked for again, and more goes on from there", async () => {
  let release = "a";
  const { screen, asked } = await open({
    path: "/?find=rain",
    answer: ({ pageToken }) => {
      if (pageToken && pageToken !== release)
        throw failure(Code.InvalidArgument, "That page does not exist.", "PAGE_TOKEN_INVALID", "page_token");
      const id = pageToken ? "second" : "first";
      const next = pageToken ? "" : release;
      return { groups: [{ ...group(ARTICLE, match(ARTICLE, id)), total: 2, nextPageToken: next }] };
    },
  });
  const more = screen.getByRole("button", { name: "Show more" });
  await expect.element(more).toBeVisible();
  release = "b";
  await more.click();
  await expect.element(screen.getByText("second")).toBeVisible();
  expect(asked.slice(-3).map(({ pageToken }) => pageToken)).toEqual(["a", "", "b"]);
  expect(screen.getByRole("alert").elements()).toEqual([]);
});

test("a fault says what happened, and it can be tried again", async () => {
  let fails = true;
  const { screen } = await open({
    path: "/?find=rain",
    answer: (request) => {
      if (fails) throw new ConnectError("no", Code.Internal);
      return usual(request);
    },
  });
  await expect.element(screen.getByRole("alert")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  fails = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(tab(/Articles/)).toBeVisible();
});

test("without a line it says so, and finds by itself when the line is back", async () => {
  let up = true;
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => up);
  const turn = (to: boolean) => {
    up = to;
    window.dispatchEvent(new Event(to ? "online" : "offline"));
  };
  const { screen } = await open();
  await expect.element(screen.getByRole("button", { name: "Anger" })).toBeVisible();
  turn(false);
  await field().fill("rain");
  await expect.element(screen.getByText("You’re offline")).toBeVisible();
  turn(true);
  await expect.element(tab(/Articles/)).toBeVisible();
});

test("arrow keys lead from the field through what was found and back", async () => {
  await open({ path: "/?find=rain" });
  await expect.element(tab(/Articles/)).toBeVisible();
  await userEvent.click(field());
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(hits()[0]);
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(hits()[1]);
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(hits()[1]);
  await userEvent.keyboard("{ArrowUp}{ArrowUp}");
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("{Tab}{Tab}");
  await expect.element(tab(/Articles/)).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab(/^Meditations/)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(() => document.activeElement).toBe(hits()[0]);
});

test("Enter opens the first, which is remembered for the member in this tab", async () => {
  const first = await open();
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("rain{Enter}");
  await expect.element(tab(/Articles/)).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => window.location.pathname).toBe("/articles/on-rain");
  expect(page.getByRole("dialog").query()).toBeNull();
  await first.screen.unmount();
  const again = await open();
  await again.screen.getByRole("button", { name: "rain", exact: true }).click();
  await expect.element(field()).toHaveValue("rain");
  await expect.element(tab(/Articles/)).toBeVisible();
  await again.screen.unmount();
  await open({ who: member({ uid: "somebody-else" }) });
  await expect.element(page.getByRole("button", { name: "Anger" })).toBeVisible();
  expect(page.getByRole("button", { name: "rain", exact: true }).query()).toBeNull();
});

test("it is modal, and a phone shows the chosen tab without scrolling sideways", async () => {
  await page.viewport(360, 760);
  await open({ path: "/?find=rain&find-in=meditations" });
  await expect.element(tab(/^Meditations/)).toBeInViewport({ ratio: 0.95 });
  expect(document.querySelector("dialog")?.matches(":modal")).toBe(true);
  expect(document.documentElement.scrollWidth).toBe(360);
  expect(await axeFaults()).toEqual([]);
});

test("courses stand above what else was found, and alone where nothing else was", async () => {
  const courses = [{ id: "evenings", slug: "evenings", title: "Seven Quiet Evenings", days: 7 }];
  const { screen } = await open({ path: "/?find=rain", answer: () => ({ groups: FOUND, courses }) });
  await expect
    .element(screen.getByRole("link", { name: /Seven Quiet Evenings/ }))
    .toHaveAttribute("href", "/courses/evenings");
  await expect.element(screen.getByRole("status")).toHaveTextContent("Courses: 1.");
  await expect.element(tab(/Articles/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.unmount();
  const alone = await open({ path: "/?find=evening", answer: () => ({ groups: [], courses }) });
  await alone.screen.getByRole("link", { name: /Seven Quiet Evenings/ }).click();
  expect(window.location.pathname).toBe("/courses/evenings");
});
