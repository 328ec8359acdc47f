import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vite";

const src = fileURLToPath(new URL("./src", import.meta.url));

/** Asks the browser for both fonts before it has read the style sheet that names them. */
function preloadFonts(): Plugin {
  return {
    name: "preload-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith(".woff2"))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" },
            injectTo: "head" as const,
          })),
    },
  };
}

const gateway = process.env["GATEWAY"] ?? "http://localhost:8080";

export default defineConfig(({ mode }) => ({
  plugins: [react(), preloadFonts()],
  resolve: {
    alias: [
      // `--mode look` shows every screen without a gateway: the transport answers from memory.
      ...(mode === "look" ? [{ find: "@/data/transport", replacement: `${src}/testing/transport.ts` }] : []),
      { find: "@", replacement: src },
    ],
  },
  build: {
    // The first browsers that know light-dark(); older targets would have it rewritten and lose [data-theme].
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Seven signs of a hash tell a hundred files of some releases apart. The entry lists them all, so each has no other name: dist/.vite/manifest.json says what it is.
        chunkFileNames: "assets/[hash:7].js",
        assetFileNames: "assets/[hash:7][extname]",
        codeSplitting: {
          // Else React, which these need too, would move in with them.
          includeDependenciesRecursively: false,
          groups: [
            // With money's words, which every page needs that has a price, and the first paint of none.
            {
              name: "data",
              test: /node_modules\/(@tanstack|@connectrpc|@bufbuild)\/|src\/(lib\/money|data\/(own-changes|lost-words|query|repeat|errors|error-info)|copy\/lost)/,
            },
            {
              name: "forms",
              test: /node_modules\/react-hook-form\/|src\/(ui\/form\/rules|lib\/title-rules)/,
            },
            // With what a mark says at a meditation's own addresses, both of which have the player; without what comes after each page that plays, and without the editors' plain player.
            {
              name: "player",
              test: /src\/(player\/(?!inline\/|keep\/|listening\/|more\/|share\/(ShareOwn|writes)|FullPlayer|PlainPlayer|Sound\.|Transcript|useLibrarySound)|copy\/player|data\/live-meditation|features\/journey\/at-address)/,
            },
            { name: "prints", test: /src\/art\// },
            // The basket, its words and pictures: many pages share it, and the first paint of none needs it.
            {
              name: "basket-data",
              test: /src\/(data\/basket|copy\/(basket-news|product)|ui\/(ItemPicture|ProductPicture|Emblem))/,
            },
            // What lists of articles and meditations share, and the first paint of no other page needs.
            { name: "lists", test: /src\/(ui\/(ItemButtons|SearchField)|lib\/filters|copy\/items)/ },
            // What is kept on this device, which many pages offer and the first paint of none needs.
            {
              name: "kept",
              test: /src\/(data\/kept\/|copy\/kept|player\/keep\/(?!KeepButton)|app\/(kept-here|leaving-kept|Leaving))/,
            },
            // The share panel, and the letter to a friend, which come when they are asked for.
            { name: "share", test: /src\/(ui\/share\/|copy\/sharing)/ },
            {
              name: "invite",
              test: /src\/(ui\/(InviteForm|useCopied)|copy\/invite|lib\/(sharing|clipboard)|data\/invite)/,
            },
            // What many pages share comes at once: every request costs a phone more than the few bytes in it. Without
            // what shows prints, or the entry would bring them all, and without the tabs of a few pages. The helper that fetches chunks comes along.
            {
              name: "parts",
              test: /src\/(ui\/(?!.*Art|Card\.|Emblem|TabList)|lib|copy\/(?!kept))|vite\/preload-helper/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` beside `make run`: everything that is not the app is the gateway's.
    proxy: {
      "^/(serein\\.web\\.v1\\..*|auth/.*|media/.*)": {
        target: gateway,
        // The gateway answers for its own name and its own pages alone.
        changeOrigin: true,
        headers: { origin: gateway },
      },
    },
  },
}));
