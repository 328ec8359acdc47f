import { expect, test } from "vitest";
import { accessInManifest } from "@/app/access";
import { ROUTES } from "@/app/routes";
import { framed, frameMarkup, manifest, pageMarkup, pageTemplate, written } from "./prerender";

test("the gateway's list has every page of the app, with its access", () => {
  expect(manifest.pages.map(({ path, access }) => [path, access])).toEqual(
    ROUTES.map(({ path, access }) => [path, accessInManifest(access).access]),
  );
  expect(manifest.pages.find(({ path }) => path === "/journey")).toEqual({
    path: "/journey",
    access: "member",
    title: "My Journey · Serein",
    html: "prerendered/journey.html",
    variant: { query: ["tab", "search"], html: "prerendered/journey-by-query.html" },
    answers: [
      { rpc: "GetJourney", request: {} },
      { rpc: "ListBespoke", request: {} },
    ],
  });
  expect(manifest.pages.find(({ path }) => path === "/signup/confirm")?.html).toBe("prerendered/home.html");
});

test("a page that only the app can show has its own document with its title, except the debugging page", () => {
  expect(framed.map(({ path }) => path)).toEqual(
    ROUTES.filter(
      ({ path, prerender: how, data, debug }) =>
        data && (!how || ["/journey", "/timer"].includes(path)) && !debug,
    ).map(({ path }) => path),
  );
  expect(framed.find(({ path }) => path === "/members")).toMatchObject({
    file: "prerendered/members.html",
    title: "Members Area · Serein",
  });
  expect(manifest.pages.find(({ path }) => path === "/debug-sign-in")?.html).toBeUndefined();
});

test("paths are what the gateway can read: words, :name and a last :name?", () => {
  for (const { path } of manifest.pages) expect(path).toMatch(/^\/$|^(\/[\w-]+)+(\/:\w+)*(\/:\w+\?)?$/);
});

test("My Journey begins with its title, its search, its tabs and the shapes of the first one", async () => {
  const html = await pageMarkup("/journey");
  for (const words of [
    "<h1>My Journey</h1>",
    "Search Journey Items",
    "Recently Deleted",
    "<h2>Bespoke Meditations</h2>",
  ])
    expect(html).toContain(words);
  expect(html.match(/role="tab"/g)).toHaveLength(5);
  expect(html).not.toMatch(/Nothing here|Create/);
});

test("a filled page says what it is filled with", () => {
  expect(manifest.pages.find(({ path }) => path === "/articles/:slug")).toEqual({
    path: "/articles/:slug",
    access: "everyone",
    title: "Article · Serein",
    html: "prerendered/articles-slug.html",
    template: { rpc: "GetArticle", request: { slug: ":slug" }, query: [] },
  });
  expect(manifest.pages.find(({ path }) => path === "/about")?.template).toEqual({
    rpc: "GetText",
    request: { name: "about" },
    query: [],
  });
});

test("the library is filled with the question that its page asks, for those whose plan has it", async () => {
  expect(manifest.pages.find(({ path }) => path === "/meditation-library")).toMatchObject({
    access: "subscriber",
    entitlement: "library",
    template: {
      rpc: "ListMeditations",
      request: { sound: "SOUND_IMMERSIVE", pageSize: "11" },
      query: ["kind", "category", "search", "unverified"],
    },
  });
  const html = await pageTemplate("/meditation-library");
  for (const words of [
    "<h1>Meditation Library</h1>",
    "{{range slice .Meditations 0 1}}",
    "{{range slice .Meditations 1}}",
    "Showing {{len .Meditations}} of {{.All}}",
    "{{listening .AudioSeconds}} min",
    'aria-label="Play {{.Title}}"',
    "{{if not (and .AudioUrl .Verified)}}",
  ])
    expect(html).toContain(words);
  expect(html.match(/aria-label="Play /g)).toHaveLength(2);
  expect(html).not.toMatch(/selected|Like |Save |Only Non-verified/);
});

test("a template is the page with the fields of its answer for texts", async () => {
  const html = await pageTemplate("/articles/:slug");
  for (const words of [
    "<h1>{{.Card.Title}}</h1>",
    "{{clean .OpeningHtml}}",
    "{{if or (helpline .OpeningHtml) (helpline .RestHtml)}}",
    "{{if .Whole}}",
    "{{if not .Whole}}",
  ])
    expect(html).toContain(words);
  expect(html).toContain("%2Farticles%2F{{.Card.Slug}}");
  const list = await pageTemplate("/articles");
  expect(list).toContain("{{range .Articles}}");
  expect(list).toContain('href="/articles/{{.Slug}}"');
  expect(list).toContain('{{count .Total "article" "articles"}}');
  expect(html).toContain('{{count (listening .Card.AudioSeconds) "minute" "minutes"}}, read by ');
  expect(list).not.toMatch(/Sereinaction|NoitcaNieres/i);
  expect(list.match(/\{\{(if|range|with) /g)?.length).toBe(list.match(/\{\{end\}\}/g)?.length);
});

test("the list of articles is also written for a category, as it is then shown", async () => {
  expect(manifest.pages.find(({ path }) => path === "/articles")?.template).toMatchObject({
    query: ["category", "search"],
    filter: { name: "category", html: "prerendered/articles-by-category.html" },
  });
  expect(written.filter(({ path }) => path === "/articles").map(({ file }) => file)).toEqual([
    "prerendered/articles.html",
    "prerendered/articles-by-category.html",
  ]);
  const list = await pageTemplate("/articles", undefined, "category");
  expect(list).toContain("{{range .Articles}}");
  expect(list).toContain("clear filter");
  expect(list).toContain("category%3D{{$.Filter}}");
});

test("the memberships' template has every plan by its kind, its price in words, and each button under its condition", async () => {
  const html = await pageTemplate("/memberships");
  for (const words of [
    "<h1>{{.Title}}</h1>",
    "{{if eq .Kind 1}}",
    "{{if or (eq .Kind 2) (eq .Kind 3)}}",
    "{{money .Monthly.Price}}",
    "{{range .Features}}",
    "{{if eq .Monthly.Action 3}}",
    "/contact?plan={{.Name}}",
    "{{clean .Answer}}",
    "{{if .PricesIncludeVat}}",
  ])
    expect(html).toContain(words);
});

test("the apparel's template has every thing with its price and its way into the basket", async () => {
  const html = await pageTemplate("/apparel");
  for (const words of [
    "{{range .Products}}",
    "{{money .Price}}",
    'src="{{.Picture.Url}}"',
    "{{if .SoldOut}}",
    'aria-label="Add to basket: {{.Name}}"',
    "{{range .Notes}}",
  ])
    expect(html).toContain(words);
  // A size's name would stand in the place of the thing's.
  expect(html).not.toContain("{{range .Sizes}}");
});

// React asks for a picture before the markup around it, outside the condition that there is one. A lazy picture it leaves alone.
test.each(written.filter(({ template }) => template).map(({ path, filter }) => [path, filter]))(
  "%s %s asks for no picture that its answer may lack",
  async (path = "", filter = "") => {
    expect(await pageTemplate(path, undefined, filter)).not.toMatch(/<link rel="preload" as="image"/);
  },
);

test.each(written.filter(({ template }) => template).map(({ path, filter }) => [path, filter]))(
  "%s %s is the same template whatever flags and numbers its answer has: the app would not find what it made of them",
  async (path = "", filter = "") => {
    const html = await pageTemplate(path, { flag: true, number: 1 }, filter);
    expect(await pageTemplate(path, { flag: false, number: 0 }, filter)).toBe(html);
    expect(await pageTemplate(path, { flag: true, number: 700 }, filter)).toBe(html);
  },
);

test("home is written with its veil and its words, for a visitor", async () => {
  const html = await pageTemplate("/");
  for (const words of ["Click to enter", "Quiet, made", "Start your free trial", "Sign in", "Crafted Calm"])
    expect(html).toContain(words);
});

test("what only a browser knows is not in the markup: prints, the day, and style attributes", async () => {
  const html = await pageTemplate("/");
  expect(html).not.toMatch(/style="|<script|Quote of the Day<\/b><time/);
  expect(html.length).toBeLessThan(20_000);
});

test.each([
  ["/bespoke-meditation-generator", "Make a meditation"],
  ["/timer", "Timer and breath"],
  ["/basket", "Basket"],
  ["/checkout", "Checkout"],
])("%s begins with its heading, without anybody's own", async (path, heading) => {
  const html = await pageMarkup(path);
  expect(html).toContain(`<h1>${heading}</h1>`);
  expect(html).toContain("Crafted Calm");
  expect(html).not.toContain("{{");
});

test("what a member has made is the app's alone to show", () => {
  const [own, made] = ["/bespoke-meditation-generator", "/bespoke-meditation-generator/:id"].map((address) =>
    manifest.pages.find(({ path }) => path === address),
  );
  expect(own).toMatchObject({ html: "prerendered/bespoke-meditation-generator.html" });
  expect(own?.description).toContain("narrate a meditation for you");
  expect(made).toMatchObject({ html: "prerendered/bespoke-meditation-generator-id.html" });
});

test("the frame has bar and footer and no page", async () => {
  const html = await frameMarkup();
  expect(html).toContain("Skip to content");
  expect(html).toContain("Crafted Calm");
  expect(html).not.toContain("aria-current");
});
