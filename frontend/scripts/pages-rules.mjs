import { closure } from "./budget-rules.mjs";

/** Style sheets and chunks of modules that are in the markup already, so that they come with it. */
export function headLinks(chunks, modules) {
  const entry = Object.keys(chunks).find((key) => chunks[key].isEntry);
  const had = closure(chunks, entry);
  const keys = modules.flatMap((module) => {
    if (!chunks[module]) throw new Error(`the build has no chunk of ${module}`);
    return [...closure(chunks, module)];
  });
  const own = [...new Set(keys)].filter((key) => !had.has(key));
  const styles = new Set(own.flatMap((key) => chunks[key].css ?? []));
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...own.map((key) => `<link rel="modulepreload" crossorigin href="/${chunks[key].file}">`),
  ].join("\n    ");
}

/**
 * The document with the entry's own style sheet before all others. The layer that is named first is the weakest, and that
 * sheet alone names them in their order: behind another, the styles of the base would win over those of the components.
 */
export function layersFirst(index, chunks) {
  const { css: [own] = [] } = Object.values(chunks).find(({ isEntry }) => isEntry);
  const sheets = index.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const sheet = own && sheets.find((link) => link.includes(`/${own}"`));
  if (!sheet) throw new Error("index.html has no style sheet of the entry");
  if (sheet === sheets[0]) return index;
  return index.replace(sheet, "").replace(sheets[0], () => `${sheet}\n    ${sheets[0]}`);
}

/** Where the product is found; the gateway puts its own address in at its start. */
const ORIGIN = "%ORIGIN%";

const forText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const forAttribute = (text) => forText(text).replaceAll('"', "&quot;");

/** What a written page says of itself to search engines: one address, whatever stands behind its question mark. */
function headOf({ page, title, description }) {
  const address = ORIGIN + page;
  const linked = {
    "@context": "https://schema.org",
    "@type": "WebPage",
    name: title,
    description,
    url: address,
  };
  return `<link rel="canonical" href="${address}" />
    <meta property="og:url" content="${address}" />
    <script type="application/ld+json">${JSON.stringify(linked).replaceAll("<", "\\u003c")}</script>
    `;
}

/**
 * The document with a page's markup in its root. `page` is the path that the app may take it over for, `filter` the parameter
 * of the address that it shows besides.
 */
export function withMarkup(index, { markup, page, filter, title, description, links }) {
  const root = '<div id="root"></div>';
  if (!index.includes(root)) throw new Error("index.html has no empty root");
  checkMarkup(markup, page);
  const set = (html, pattern, text) =>
    text ? html.replace(pattern, (_, start) => start + forAttribute(text)) : html;
  const names = (page ? ` data-page="${page}"` : "") + (filter ? ` data-filter="${filter}"` : "");
  const head = page?.startsWith("/") ? headOf({ page, title, description }) : "";
  let html = index
    .replace(root, () => `<div id="root"${names}>${markup}</div>`)
    .replace(/<title>[^<]*<\/title>/, (old) => (title ? `<title>${forText(title)}</title>` : old))
    .replace("</head>", () => `  ${head}${links}\n  </head>`);
  html = set(html, /(og:title" content=")[^"]*/, title);
  html = set(html, /(name="description"\s+content=")[^"]*/, description);
  return set(html, /(og:description"\s+content=")[^"]*/, description);
}

/**
 * The document with its app named in a block of data, for the script at its end to fetch after the first paint: what is
 * written can be read at once, and on a slow line the app's chunks would take the styles' and fonts' share of it.
 */
export function appLater(html) {
  const files = [];
  const shown = html
    .replace(/ *<script type="module"[^>]* src="([^"]+)"><\/script>\n?/, (_, file) => (files.push(file), ""))
    .replaceAll(/ *<link rel="modulepreload"[^>]* href="([^"]+)">\n?/g, (_, file) => (files.push(file), ""));
  const root = '<div id="root"';
  if (!files.length || !html.includes(root)) throw new Error("index.html has no app");
  const named = `<script type="application/json" id="app">${JSON.stringify(files)}</script>`;
  return shown.replace(root, () => `${named}\n    ${root}`);
}

/** Text that a template prints as it stands. Go's strings are JSON's. */
const verbatim = (html) => `{{verbatim ${JSON.stringify(html)}}}`;

const BOOT = '<script type="application/json" id="boot">';
const ANSWER = '<script type="application/json" id="page">{{.Answer}}</script>';
const LINKED = '<script type="application/ld+json">{{.Linked}}</script>';

/**
 * The document as a template that the gateway fills (Go's html/template): its markup, what it says of itself to search
 * engines, and the answer it is made of, for the app to read. A template leaves out comments, by which the app takes
 * the markup over, and would look into scripts: both are printed verbatim.
 */
export function asTemplate(index, { markup, page, filter, links }) {
  checkMarkup(markup, page);
  const filled = appLater(withMarkup(index, { markup: "SereinMarkup", page, filter, links }))
    .replace(/<title>[^<]*<\/title>/, "<title>{{.Title}}</title>")
    .replace(/(name="description"\s+content=")[^"]*/, "$1{{.Description}}")
    .replace(/(og:title" content=")[^"]*/, "$1{{.Title}}")
    .replace(/(og:description"\s+content=")[^"]*/, "$1{{.Description}}")
    .replace(/(og:type" content=")[^"]*/, "$1{{.Type}}")
    .replace(/(og:image" content=")[^"]*/, "$1{{.Image}}")
    .replace(/(rel="canonical" href=")[^"]*/, "$1{{.Canonical}}")
    .replace(/(og:url" content=")[^"]*/, "$1{{.Canonical}}")
    .replace(/<script type="application\/ld\+json">[^]*?<\/script>/, LINKED)
    .replace(BOOT, () => `${ANSWER}\n    ${BOOT}`)
    .replaceAll(/<script>[^]*?<\/script>/g, verbatim);
  const withComments = markup.replaceAll(/<!--[^]*?-->/g, verbatim);
  return filled.replace("SereinMarkup", () => `{{with .Page}}${withComments}{{end}}`);
}

function checkMarkup(markup, page) {
  if (/\sstyle="|<script/.test(markup))
    throw new Error(`the markup of ${page} has what the content policy forbids`);
}
