import type { ConnectRouter } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { useState } from "react";
import { expect, test } from "vitest";
import { ArticlesService, ListArticlesResponseSchema } from "@/gen/serein/web/v1/articles_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { RouteParams } from "@/lib/router";
import { article, CARDS } from "@/testing/content";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { ArticlePage } from "./ArticlePage";
import { ArticlesPage } from "./ArticlesPage";

/** What was asked for, in its order. */
const asked: string[] = [];

const gateway =
  (whole = false) =>
  ({ service }: ConnectRouter) =>
    service(ArticlesService, {
      listArticles: ({ category, search }) => {
        asked.push(`${category}/${search}`);
        const articles = CARDS.filter((card) => card.title.toLowerCase().includes(search));
        return create(ListArticlesResponseSchema, {
          articles,
          total: articles.length,
          categories: [{ id: "gratitude", name: "Gratitude", count: 1 }],
        });
      },
      getArticle: ({ slug }) => {
        const card = CARDS.find((one) => one.slug === slug);
        if (!card) throw new Error(slug);
        return article(card, whole);
      },
    });

const read = (slug: string) => (
  <RouteParams value={{ slug }}>
    <main>
      <ArticlePage />
    </main>
  </RouteParams>
);

test("search and category live in the address, and one press clears both", async () => {
  asked.length = 0;
  const { screen } = await show(<ArticlesPage />, { path: "/articles", gateway: gateway() });
  await expect.element(screen.getByText("7 articles")).toBeVisible();
  await screen.getByLabelText("Search articles").fill("breath");
  await expect.poll(() => window.location.search).toBe("?search=breath");
  await expect.element(screen.getByText("1 article", { exact: true })).toBeVisible();
  await screen.getByRole("radio", { name: "Gratitude" }).click();
  await expect.poll(() => window.location.search).toBe("?search=breath&category=gratitude");
  await expect.poll(() => asked.at(-1)).toBe("gratitude/breath");
  await screen.getByRole("button", { name: "clear filter" }).click();
  await expect.poll(() => window.location.search).toBe("");
  await expect.element(screen.getByLabelText("Search articles")).toHaveValue("");
  await expect.element(screen.getByText("7 articles")).toBeVisible();
});

test("an address with a search opens the list as it was", async () => {
  const { screen } = await show(<ArticlesPage />, { path: "/articles?search=kind", gateway: gateway() });
  await expect.element(screen.getByLabelText("Search articles")).toHaveValue("kind");
  await expect.element(screen.getByRole("link", { name: "The kind pause" })).toBeVisible();
});

test("nothing found is said in the given words", async () => {
  const { screen } = await show(<ArticlesPage />, { path: "/articles?search=zebra", gateway: gateway() });
  await expect
    .element(screen.getByText("Sorry, we couldn't find any articles that match your search"))
    .toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a list that cannot be brought says so in the order of headings, and is asked for again by a press", async () => {
  let away = true;
  const { screen } = await show(<ArticlesPage />, {
    path: "/articles",
    gateway: (router) => {
      router.service(ArticlesService, {
        listArticles: () => {
          if (away) throw new ConnectError("away", Code.Internal);
          return create(ListArticlesResponseSchema, { articles: [...CARDS], total: CARDS.length });
        },
      });
    },
  });
  await expect.element(screen.getByRole("heading", { name: "Something went wrong", level: 2 })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  away = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("7 articles")).toBeVisible();
});

test("visitors are asked to join, and have no hearts; members have hearts and are not asked", async () => {
  const visitor = await show(<ArticlesPage />, { member: null, path: "/articles", gateway: gateway() });
  await expect.element(visitor.screen.getByRole("button", { name: "Start your free trial" })).toBeVisible();
  expect(visitor.screen.getByRole("button", { name: /^Like / }).elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
  await visitor.screen.unmount();
  const { screen } = await show(<ArticlesPage />, { path: "/articles", gateway: gateway() });
  await expect.element(screen.getByRole("button", { name: "Like The kind pause, 48 likes" })).toBeVisible();
  expect(screen.getByText("Start your free trial").elements()).toEqual([]);
});

test("a visitor reads the opening, and is asked to join for the rest", async () => {
  const { screen } = await show(read("rest-is-not-a-reward"), { member: null, gateway: gateway() });
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Rest is not a reward");
  await expect.element(screen.getByText("Read the rest, and listen")).toBeVisible();
  expect(screen.getByText("Listen instead").elements()).toEqual([]);
  expect(screen.getByText("Save to My Journey").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("a member reads the whole, can keep it, and hears it", async () => {
  const { screen } = await show(read("the-kind-pause"), { gateway: gateway(true) });
  await expect.element(screen.getByText("Listen for the edge")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Save to My Journey" })).toBeVisible();
  await expect.element(screen.getByText("Like, 48")).toBeVisible();
  await expect.element(screen.getByText("9 minutes, read by Iona")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Play The kind pause" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "View all articles" })).toBeVisible();
  expect(screen.getByText("Read the rest, and listen").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

/** A list to go to, as the app's pages change below the mini player. */
function Browsing() {
  const [reading, set] = useState(true);
  return (
    <>
      <button onClick={() => set(false)}>Go on</button>
      {reading ? read("the-kind-pause") : <p>Elsewhere</p>}
    </>
  );
}

test.for([["a member", member()] as const, ["a visitor", null] as const])(
  "what %s hears of an article goes on while they browse",
  async ([, who]) => {
    const { screen, player } = await show(<Browsing />, { gateway: gateway(true), member: who });
    await screen.getByRole("button", { name: "Play The kind pause" }).click();
    await screen.getByRole("button", { name: "Go on" }).click();
    const mini = screen.getByRole("region", { name: "Now playing" });
    await expect.element(mini.getByRole("link")).toHaveAttribute("href", "/articles/the-kind-pause");
    expect(player.engine.snapshot().wanted).toBe(true);
  },
);

test("an article that names a helpline has the quick way out above its text, where that is shown, and no other has", async () => {
  const naming = (whole: boolean) => (router: ConnectRouter) => {
    router.service(ArticlesService, {
      getArticle: ({ slug }) => {
        const card = CARDS.find((one) => one.slug === slug);
        if (!card) throw new Error(slug);
        const shown = article(card, whole);
        if (whole) shown.restHtml = "<p>Samaritans will hear it at any hour, on 116 123.</p>";
        return shown;
      },
    });
  };
  const out = { name: "Leave this page now" };
  const { screen } = await show(read("the-kind-pause"), { gateway: naming(true) });
  await expect.element(screen.getByRole("link", out)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await screen.unmount();
  const opening = await show(read("the-kind-pause"), { gateway: naming(false) });
  await expect.element(opening.screen.getByText("Read the rest, and listen")).toBeVisible();
  expect(opening.screen.getByRole("link", out).elements()).toEqual([]);
});

test("an article that is still being narrated says so", async () => {
  const { screen } = await show(read("a-small-theory-of-thank-you"), { gateway: gateway(true) });
  await expect.element(screen.getByText("It’s being recorded. You can listen here soon.")).toBeVisible();
});

test("a member whose plan has no articles sees that articles are part of a membership", async () => {
  const plan = { ...member().plan, entitlements: ["generator"] } as NonNullable<
    ReturnType<typeof member>["plan"]
  >;
  const { screen } = await show(read("rest-is-not-a-reward"), {
    member: member({ plan }),
    gateway: gateway(),
  });
  await expect.element(screen.getByText(/part of a membership/)).toBeVisible();
  expect(screen.getByText("Start your free trial").elements()).toEqual([]);
});

test("a former title leads to the article's own address", async () => {
  await show(read("former"), {
    path: "/articles/former",
    gateway: ({ rpc }) =>
      rpc(ArticlesService.method.getArticle, () => {
        const [card] = CARDS;
        if (!card) throw new Error("no cards");
        return article(card, true);
      }),
  });
  await expect.poll(() => window.location.pathname).toBe("/articles/rest-is-not-a-reward");
});

test("an article is passed on by its own address, by a visitor too, whatever stands in the reader's", async () => {
  const { screen } = await show(read("rest-is-not-a-reward"), {
    member: null,
    path: "/articles/rest-is-not-a-reward?find=rest",
    gateway: gateway(),
  });
  const panel = screen.getByRole("region", { name: "Pass this on" });
  await expect.element(panel.getByRole("button", { name: "Copy link" })).toBeVisible();
  const facebook = panel.getByRole("link", { name: "Facebook, opens in a new tab" }).element();
  const shared = new URL((facebook as HTMLAnchorElement).href).searchParams.get("u");
  expect(shared).toBe(`${window.location.origin}/articles/rest-is-not-a-reward`);
  expect(panel.getByRole("textbox").elements()).toEqual([]);
  expect(await axeFaults()).toEqual([]);
});

test("an article that was opened from a course does its day at the end of its text, and that can be undone", async () => {
  const calls: string[] = [];
  let done = false;
  const ofCourse = (router: ConnectRouter) => {
    gateway(true)(router);
    const [, , , card] = CARDS;
    router.service(CoursesService, {
      getCourse: () => ({
        card: { id: "evenings", slug: "evenings", title: "Seven Quiet Evenings", taken: true },
        days: [{ id: "kind", title: "A pause", done, ...(card && { article: card }) }],
      }),
      markDay: ({ day }) => {
        calls.push(`done ${day}`);
        done = true;
        return {};
      },
      unmarkDay: ({ day }) => {
        calls.push(`undo ${day}`);
        done = false;
        return {};
      },
    });
  };
  const path = "/articles/the-kind-pause?course=evenings";
  const { screen } = await show(read("the-kind-pause"), { path, gateway: ofCourse });
  const step = screen.getByRole("complementary", { name: "Your course" });
  await expect.element(step).toHaveTextContent("From Seven Quiet Evenings: A pause");
  step.element().scrollIntoView();
  await expect.element(step.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await step.getByRole("button", { name: "Undo" }).click();
  await step.getByRole("button", { name: "Done" }).click();
  await expect.element(step.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(calls).toEqual(["done kind", "undo kind", "done kind"]);
  await expect
    .element(step.getByRole("link", { name: "Back to the course" }))
    .toHaveAttribute("href", "/courses/evenings");
});
