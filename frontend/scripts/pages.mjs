// After the build: writes dist/pages.json, the gateway's list of pages, and the markup of those that are the same for
// every visitor (dist/prerendered), with their styles in the head, so that nothing flashes and nothing shifts. The rest
// begin with the frame, in index.html.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { headLinks, withMarkup } from "./pages-rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = new URL("../dist/", import.meta.url);
const outDir = "out/prerender";

await build({
  root,
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
const { manifest, written, pageMarkup, frameMarkup } = await import(
  pathToFileURL(`${root}${outDir}/prerender.js`).href
);
const chunks = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8"));
const index = await readFile(new URL("index.html", dist), "utf8");
const links = (module) => headLinks(chunks, ["src/app/Footer.tsx", ...(module ? [module] : [])]);

await mkdir(new URL("prerendered/", dist), { recursive: true });
for (const { path, file, title, module } of written) {
  const page = withMarkup(index, {
    markup: await pageMarkup(path),
    page: path,
    title,
    links: links(module),
  });
  await writeFile(new URL(file, dist), page);
}
await writeFile(
  new URL("index.html", dist),
  withMarkup(index, { markup: await frameMarkup(), links: links() }),
);
await writeFile(new URL("pages.json", dist), JSON.stringify(manifest));
await rm(`${root}${outDir}`, { recursive: true });
