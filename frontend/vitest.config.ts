import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

/** Where all tests run, so that a day is the same one everywhere. The day itself is that of src/testing/clock.ts. */
const ZONE = "Europe/London";

/** Rules and models run in Node (`*.test.ts`); components in a real browser (`*.test.tsx`). */
export default defineConfig((env) =>
  mergeConfig(viteConfig(env), {
    // If Vite found these packages only while tests run, it would bundle them again, and React would be loaded twice.
    optimizeDeps: {
      include: [
        "@bufbuild/protobuf",
        "@bufbuild/protobuf/codegenv2",
        "@bufbuild/protobuf/wkt",
        "@connectrpc/connect",
        "@connectrpc/connect-query",
        "@connectrpc/connect-web",
        "@tanstack/react-query",
        "axe-core",
        "react",
        "react-dom",
        "react-dom/client",
        "react-dom/server",
        "react-hook-form",
        "regexparam",
        "wouter",
        "wouter/use-browser-location",
        "react/jsx-dev-runtime",
        "vitest-browser-react",
      ],
    },
    test: {
      // Only a wait that never ends reaches these limits: tests may share two cores with other tests and compilers, and pause
      // for a while. No test sets its own limit (src/testing/limits.test.ts).
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 45_000 } },
      projects: [
        {
          extends: true,
          test: {
            name: "unit",
            environment: "node",
            env: { TZ: ZONE },
            setupFiles: ["src/testing/clock.ts"],
            include: ["src/**/*.test.ts", "scripts/**/*.test.mjs"],
          },
        },
        {
          extends: true,
          test: {
            name: "components",
            include: ["src/**/*.test.tsx"],
            setupFiles: ["src/testing/clock.ts", "src/testing/setup.ts"],
            browser: {
              enabled: true,
              headless: true,
              // Milliseconds until a browser must have connected, on a machine that does much else.
              connectTimeout: 300_000,
              screenshotFailures: false,
              provider: playwright({
                // Nothing fades: what is tested stands there at once, and no frame is drawn in between.
                contextOptions: { reducedMotion: "reduce", timezoneId: ZONE },
                launchOptions: {
                  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
                  // Drawn by the processor as it is, not by one that plays a graphics card.
                  args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
                },
              }),
              instances: [{ browser: "chromium", viewport: { width: 900, height: 800 } }],
            },
          },
        },
      ],
    },
  }),
);
