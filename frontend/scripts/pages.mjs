// After the build: writes pages.json, the gateway's list of pages, and the markup of those that are the same for
// every visitor (prerendered/), with their styles in the head, so that nothing flashes and nothing shifts. The rest
// begin with the frame: in a document that names the page's chunks where it reads, and else in index.html.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { appLater, asTemplate, headLinks, layersFirst, withMarkup } from "./pages-rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The modules of the app that a page needs to take over an answer. */
const DATA = ["src/data/DataLayout.tsx", "src/data/page-answers.ts"];

/** The app as a module for Node (src/prerender.tsx). */
async function load(mode) {
  const outDir = `out/prerender-${process.pid}`;
  await build({
    root,
    mode,
    logLevel: "error",
    build: {
      ssr: "src/prerender.tsx",
      outDir,
      manifest: false,
      copyPublicDir: false,
      // Pages by their names alone, from which prerender.tsx tells what they are made of; a shared chunk may have the same.
      rolldownOptions: {
        output: {
          chunkFileNames: ({ facadeModuleId }) =>
            facadeModuleId?.includes("/src/routes/") ? "chunks/[name].js" : "chunks/shared/[name].js",
        },
      },
    },
  });
  const app = await import(pathToFileURL(`${root}${outDir}/prerender.js`).href);
  return { app, remove: () => rm(`${root}${outDir}`, { recursive: true }) };
}

/** Completes the build that stands in `outDir`, made in `mode`. Answers with the list of pages. */
export async function writePages(outDir = "dist", mode = "production") {
  const dist = new URL(`../${outDir}/`, import.meta.url);
  const { app, remove } = await load(mode);
  const chunks = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8"));
  const index = layersFirst(await readFile(new URL("index.html", dist), "utf8"), chunks);
  const links = (...modules) => headLinks(chunks, ["src/app/Footer.tsx", ...modules]);
  await mkdir(new URL("prerendered/", dist), { recursive: true });
  for (const { path, filter, file, title, description, module, template, data } of app.written) {
    const markup = await (template ? app.pageTemplate(path, undefined, filter) : app.pageMarkup(path));
    const modules = data ? [module, ...DATA] : [module];
    const page = { markup, page: path, filter, title, description, links: links(...modules) };
    const html = template ? asTemplate(index, page) : appLater(withMarkup(index, page));
    await writeFile(new URL(file, dist), html);
  }
  const markup = await app.frameMarkup();
  for (const { file, title, module } of app.framed)
    await writeFile(
      new URL(file, dist),
      appLater(withMarkup(index, { markup, title, links: links(module, ...DATA) })),
    );
  await writeFile(new URL("index.html", dist), withMarkup(index, { markup, links: links() }));
  await writeFile(new URL("pages.json", dist), JSON.stringify(app.manifest));
  await remove();
  return app.manifest;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await writePages();
