// Shows every screen at three widths and in both themes without a gateway, takes a picture of each into
// out/look, and runs axe-core on it. `npm run look` for all, `npm run look -- home` for one.
// Screens are listed in look-screens.mjs. `--forced` shows them in forced colours, `--zoom` at 200 %.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { parse } from "regexparam";
import { build, preview } from "vite";
import { writePages } from "./pages.mjs";
import { MEMBER, SCREENS } from "./look-screens.mjs";

const { values: as, positionals: only } = parseArgs({
  options: { forced: { type: "boolean" }, zoom: { type: "boolean" } },
  allowPositionals: true,
});
/** At 200 % a page has half as many pixels in each direction, each drawn twice as large. */
const ZOOM = as.zoom ? 2 : 1;
/** Of the window, px. A window of 360 is a phone's, which is not zoomed. */
const WIDTHS = as.zoom ? [900, 1440] : [360, 900, 1440];
const SUFFIX = `${as.forced ? "-forced" : ""}${as.zoom ? "-zoom" : ""}`;
const THEMES = ["light", "dark"];
const root = fileURLToPath(new URL("../", import.meta.url));
const out = new URL("../out/look/", import.meta.url);

const outDir = `out/dist-${process.pid}`;
await build({ root, mode: "look", logLevel: "error", build: { outDir } });
const { pages, notFound } = await writePages(outDir, "look");
const server = await preview({ root, build: { outDir }, preview: { port: 4900 + (process.pid % 90) } });
const base = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
});
const axe = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
await mkdir(out, { recursive: true });

/** A policy as strict as the gateway's: no inline style, and only the scripts that stand in the page. */
function policy(html) {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map((m) => m[1]);
  const hashes = inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self' blob:",
    "form-action 'self'; base-uri 'none'",
  ].join("; ");
}

/** Puts boot data where the gateway would. */
const boot = (member) => async (route) => {
  if (route.request().resourceType() !== "document") return route.continue();
  // The document that the gateway would choose: the page's own, where the build has written one.
  const { pathname, searchParams } = new URL(route.request().url());
  const page = pages.find(({ path }) => parse(path).pattern.test(pathname)) ?? { html: notFound };
  // What the gateway fills is shown by the app alone here.
  const variant = page.variant?.query.some((name) => searchParams.get(name)) && page.variant.html;
  const html = page.template ? "index.html" : variant || (page.html ?? "index.html");
  const answer = await route.fetch({ url: base + html });
  // Numbers that no text writes by hand.
  const trialOffer = { days: 5, invitedDays: 9, credits: "3" };
  const json = JSON.stringify({
    ...(member && { member }),
    serverTime: new Date().toISOString(),
    trialOffer,
    termsVersion: "terms 2026-10-01, privacy 2026-10-20",
  });
  const body = (await answer.text()).replace('id="boot">null<', `id="boot">${json}<`);
  const headers = { ...answer.headers(), "content-security-policy": policy(body) };
  return route.fulfill({ response: answer, body, headers });
};

/** The most a page may shift by itself while it loads (Cumulative Layout Shift). */
const MAX_SHIFT = 0.02;

/** Runs in the page before anything of it: adds up what moves without having been touched. */
function watchShifts() {
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        globalThis.shifts.push({ value, of: sources.map(({ node }) => node?.className || node?.nodeName) });
  }).observe({ type: "layout-shift", buffered: true });
}

/** What loading did to the page that nobody asked for: it shifted, or is not at its top. */
async function loadFaults(page) {
  const { shifts, top } = await page.evaluate(() => ({ shifts: globalThis.shifts, top: scrollY }));
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const faults = top > 0 ? [`opens ${top} px below its top`] : [];
  if (sum > MAX_SHIFT) faults.push(`shifts by ${sum.toFixed(3)}: ${shifts.map(({ of }) => of).join(" | ")}`);
  return faults;
}

/** Layers out of their order: base would win over components, and axe takes words in the colour of their ground for hidden. */
async function layerFaults(page) {
  const names = await page.evaluate(() =>
    [...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].flatMap((rule) =>
        rule instanceof CSSLayerBlockRule
          ? [rule.name]
          : rule instanceof CSSLayerStatementRule
            ? [...rule.nameList]
            : [],
      ),
    ),
  );
  const order = [...new Set(names)].join(", ");
  return order === "tokens, base, components, screens" ? [] : [`the layers stand in the order ${order}`];
}

async function look(screen, width, theme) {
  const context = await browser.newContext({
    viewport: { width: width / ZOOM, height: (width < 600 ? 760 : 900) / ZOOM },
    deviceScaleFactor: ZOOM,
    forcedColors: as.forced ? "active" : "none",
    colorScheme: theme,
    reducedMotion: screen.motion ? "no-preference" : "reduce",
  });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("console", (m) => m.type() === "error" && faults.push(`console: ${m.text()}`));
  await page.route("**/*", boot(screen.member === undefined ? MEMBER : screen.member));
  if (!screen.veil) await page.addInitScript(() => sessionStorage.setItem("serein-entered", "yes"));
  // By the page, since the debugger sets no cookie of this name at an address without TLS.
  if (!screen.age)
    await page.addInitScript(() => (document.cookie = "__Host-serein-age=yes; path=/; secure"));
  await page.addInitScript(watchShifts);
  await screen.before?.(page);
  await page.goto(base + screen.path.slice(1));
  await page.waitForSelector("main", { state: "attached" });
  await page.waitForLoadState("networkidle");
  faults.push(...(await loadFaults(page)), ...(await layerFaults(page)));
  await screen.act?.(page);
  await page.evaluate(async () => {
    // A picture of the whole page shows its bar where it stands: at the top.
    scrollTo(0, 0);
    await document.fonts.ready;
    const ends = document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((a) => a.finished));
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) faults.push(`scrolls sideways by ${wide} px`);
  await page.screenshot({
    path: fileURLToPath(new URL(`${screen.name}-${width}-${theme}${SUFFIX}.png`, out)),
    fullPage: screen.full ?? true,
  });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (isForced) =>
      globalThis.axe.run({
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        // It reads the colours of the styles, which the browser does not draw then.
        rules: { "color-contrast": { enabled: !isForced } },
      }),
    as.forced === true,
  );
  for (const v of violations)
    faults.push(`axe ${v.id}: ${v.nodes.map((n) => `${n.target} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
  await context.close();
  return faults;
}

let bad = 0;
const report = [];
for (const screen of SCREENS.filter((s) => only.length === 0 || only.includes(s.name)))
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      const faults = await look(screen, width, theme);
      bad += faults.length;
      const line = `${faults.length ? "BAD" : "ok "} ${screen.name} ${width} ${theme}${SUFFIX}${faults.map((f) => `\n      ${f}`).join("")}`;
      report.push(line);
      console.log(line);
    }
await writeFile(new URL("report.txt", out), `${report.join("\n")}\n`);
await browser.close();
await server.close();
await rm(new URL(`../${outDir}`, import.meta.url), { recursive: true });
process.exitCode = bad ? 1 : 0;
