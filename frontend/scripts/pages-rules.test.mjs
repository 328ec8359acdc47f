import { expect, test } from "vitest";
import { appLater, headLinks, layersFirst, withMarkup } from "./pages-rules.mjs";

const chunks = {
  "index.html": { isEntry: true, file: "e.js", css: ["e.css"], imports: ["_shared.js"] },
  "_shared.js": { file: "s.js", css: ["s.css"] },
  "src/routes/home.tsx": { file: "h.js", css: ["h.css"], imports: ["_shared.js", "_art.js"] },
  "_art.js": { file: "a.js" },
};
const index = '<head><title>Old</title></head><body><div id="root"></div></body>';

test("a page brings its own styles and chunks, and nothing that the entry has", () => {
  const links = headLinks(chunks, ["src/routes/home.tsx"]);
  expect([...links.matchAll(/href="([^"]+)"/g)].map((m) => m[1])).toEqual(["/h.css", "/h.js", "/a.js"]);
  expect(() => headLinks(chunks, ["src/routes/gone.tsx"])).toThrow("no chunk of src/routes/gone.tsx");
});

test("markup stands in the root, which says whose it is; $ in it is only a dollar", () => {
  const html = withMarkup(index, { markup: "<p>$& $1</p>", page: "/about", title: "A & B", links: "<link>" });
  expect(html).toContain("<head><title>A &amp; B</title>");
  expect(html).toContain('<body><div id="root" data-page="/about"><p>$& $1</p></div></body>');
});

test("a page that is written for a filter says which, so that the app takes it over for that alone", () => {
  const html = withMarkup(index, { markup: "", page: "/articles", filter: "category", links: "" });
  expect(html).toContain('<div id="root" data-page="/articles" data-filter="category">');
});

test("a written page says where it is found and what it is, at the address that the gateway puts in", () => {
  const page = {
    markup: "",
    page: "/contact",
    title: "Contact </script>",
    description: 'We "answer"',
    links: "",
  };
  const html = withMarkup(
    '<head><meta name="description" content="Old" /></head><body><div id="root"></div></body>',
    page,
  );
  expect(html).toContain('<link rel="canonical" href="%ORIGIN%/contact" />');
  expect(html).toContain('<meta property="og:url" content="%ORIGIN%/contact" />');
  expect(html).toContain('<meta name="description" content="We &quot;answer&quot;" />');
  const [, linked = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(linked)).toMatchObject({
    "@type": "WebPage",
    name: page.title,
    description: page.description,
    url: "%ORIGIN%/contact",
  });
  expect(withMarkup(index, { ...page, page: "*" })).not.toContain("canonical");
});

test("markup that the content policy would break stops the build", () => {
  for (const markup of ['<p style="color: red">', "<script>1</script>"])
    expect(() => withMarkup(index, { markup, page: "/", links: "" })).toThrow("content policy");
});

test("what is shared of a page has its own title", () => {
  const card =
    '<head><title>Old</title><meta property="og:title" content="Old" /></head><body><div id="root"></div></body>';
  const html = withMarkup(card, { markup: "", page: "/about", title: 'About "us"', links: "" });
  expect(html).toContain('<meta property="og:title" content="About &quot;us&quot;" />');
});

test("the sheet that names the layers comes before all others, wherever the build has put it", () => {
  const sheet = (name) => `<link rel="stylesheet" crossorigin href="/${name}.css">`;
  const first = `<head>${sheet("e")}\n    ${sheet("s")}</head>`;
  expect(layersFirst(`<head>${sheet("s")}${sheet("e")}</head>`, chunks)).toBe(first);
  expect(layersFirst(first, chunks)).toBe(first);
  expect(() => layersFirst(`<head>${sheet("s")}</head>`, chunks)).toThrow("no style sheet of the entry");
});

test("a written page names its app instead of fetching it: its script first, then what that needs", () => {
  const script = '<script type="module" crossorigin src="/e.js"></script>';
  const chunk = (name) => `<link rel="modulepreload" crossorigin href="/${name}.js">`;
  const sheet = '<link rel="stylesheet" crossorigin href="/e.css">';
  const html = appLater(
    `<head>\n    ${script}\n    ${chunk("s")}\n    ${sheet}\n    ${chunk("h")}\n  </head><body><div id="root" data-page="/"></div></body>`,
  );
  expect(html).toBe(
    `<head>\n    ${sheet}\n  </head><body><script type="application/json" id="app">["/e.js","/s.js","/h.js"]</script>\n    <div id="root" data-page="/"></div></body>`,
  );
  expect(() => appLater(index)).toThrow("no app");
});
