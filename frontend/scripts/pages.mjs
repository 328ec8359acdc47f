// After the build: writes pages.json, the gateway's list of pages, and the markup of those that are the same for
// every visitor (prerendered/), with their styles in the head, so that nothing flashes and nothing shifts. The rest
// begin with the frame, in index.html.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { headLinks, layersFirst, withMarkup } from "./pages-rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

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
      // By their names alone, from which prerender.tsx tells what a page is made of.
      rolldownOptions: { output: { chunkFileNames: "chunks/[name].js" } },
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
  const links = (module) => headLinks(chunks, ["src/app/Footer.tsx", ...(module ? [module] : [])]);
  await mkdir(new URL("prerendered/", dist), { recursive: true });
  for (const { path, file, title, module } of app.written) {
    const markup = await app.pageMarkup(path);
    await writeFile(
      new URL(file, dist),
      withMarkup(index, { markup, page: path, title, links: links(module) }),
    );
  }
  await writeFile(
    new URL("index.html", dist),
    withMarkup(index, { markup: await app.frameMarkup(), links: links() }),
  );
  await writeFile(new URL("pages.json", dist), JSON.stringify(app.manifest));
  await remove();
  return app.manifest;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await writePages();
