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

/** The document with a page's markup in its root. `page` is the path that the app may take it over for. */
export function withMarkup(index, { markup, page, title, links }) {
  const root = '<div id="root"></div>';
  if (!index.includes(root)) throw new Error("index.html has no empty root");
  if (/\sstyle="|<script/.test(markup))
    throw new Error(`the markup of ${page} has what the content policy forbids`);
  // One address for a page, whatever stands behind its question mark.
  const canonical = page ? `<link rel="canonical" href="${page}" />\n    ` : "";
  const escaped = title?.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return index
    .replace(root, () => `<div id="root"${page ? ` data-page="${page}"` : ""}>${markup}</div>`)
    .replace(/<title>[^<]*<\/title>/, (old) => (escaped ? `<title>${escaped}</title>` : old))
    .replace(/(og:title" content=")[^"]*/, (old, start) =>
      escaped ? start + escaped.replaceAll('"', "&quot;") : old,
    )
    .replace("</head>", () => `  ${canonical}${links}\n  </head>`);
}
