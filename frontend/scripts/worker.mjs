// After the pages are written: builds the service worker with the list of files that the app needs without a connection, each with
// its hash. The document among them is the frame: it holds nothing of anybody.
import { copyFile, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { integrityOf, shellFiles, versionOf } from "./worker-rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = new URL("../dist/", import.meta.url);

/** Files of the app beside those of the build. */
const PUBLIC = ["favicon.ico", "icon.svg", "icon-192.png", "manifest.webmanifest"];
const DOCUMENT = "offline.html";

await copyFile(new URL("index.html", dist), new URL(DOCUMENT, dist));
const manifest = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8"));
const files = await Promise.all(
  [DOCUMENT, ...PUBLIC, ...shellFiles(manifest)].map(async (file) => ({
    url: `/${file}`,
    integrity: integrityOf(await readFile(new URL(file, dist))),
  })),
);
await build({
  root,
  logLevel: "error",
  define: { __SHELL__: JSON.stringify({ version: versionOf(files), files }) },
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: false,
    rolldownOptions: {
      input: "src/worker/service-worker.ts",
      output: { entryFileNames: "service-worker.js", codeSplitting: false, format: "iife" },
    },
  },
});
