// Audits one page as a phone, and writes what each category scored (0 to 100) as JSON, with the audits that lost
// something. Standard input names the page: {"url", "cookie"}, an empty cookie for a visitor, so that nobody else
// on the machine reads it from a list of processes. CHROMIUM is the browser's path. Where Lighthouse could not record the
// page, it asks to be run again: it is, twice at most.
import { readdir, readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { json } from "node:stream/consumers";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { connect } from "puppeteer-core";

const { url, cookie } = await json(process.stdin);
const chrome = await launch({
  chromePath: process.env.CHROMIUM,
  // The measuring user may be root, as in a container, where Chromium needs --no-sandbox; the pages are our own.
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

/** Lets every thread of that process come last for a processor; one may have ended meanwhile. */
async function giveWay(pid) {
  for (const thread of await readdir(`/proc/${pid}/task`))
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW);
    } catch (error) {
      if (error.info?.code !== "ESRCH") throw error;
    }
}

/** The processes that one has started, and those that these have; one may have ended meanwhile. */
async function startedBy(pid) {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const read = (thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "");
  const children = (await Promise.all(threads.map(read))).join(" ").split(" ").filter(Boolean);
  return [...children, ...(await Promise.all(children.map(startedBy))).flat()];
}

/** Whether that process draws what the pages are made of. */
const draws = async (pid) =>
  (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes("--type=gpu-process");

/** Leaves the processors to the page that is audited, as far as this browser and this program are concerned. */
async function leaveProcessors() {
  await giveWay("self");
  for (const pid of await startedBy(chrome.pid)) if (await draws(pid)) await giveWay(pid);
}

/** Signs the browser in: a header beside the requests alone would leave the page's own scripts a visitor's. */
async function signIn() {
  const browser = await connect({ browserURL: `http://localhost:${chrome.port}` });
  const { hostname: domain } = new URL(url);
  const cookies = cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain, path: "/", secure: true, httpOnly: true };
  });
  await browser.setCookie(...cookies);
  await browser.disconnect();
}

const audit = () =>
  lighthouse(url, {
    port: chrome.port,
    logLevel: "error",
    output: [],
    onlyCategories: ["performance", "accessibility", "best-practices", "seo"],
  });
try {
  // A telephone has a chip that draws, and nobody on it who records. Here both share the page's processors, and the time
  // that the page waits for them would count as its own: of a task of 45 ms it was 9 ms on two cores.
  if (process.platform === "linux") await leaveProcessors();
  if (cookie) await signIn();
  let { lhr } = await audit();
  for (let again = 2; lhr.runtimeError && again > 0; again--) ({ lhr } = await audit());
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const categories = Object.values(lhr.categories);
  const scores = Object.fromEntries(categories.map(({ id, score }) => [id, Math.round(score * 100)]));
  const lost = categories.flatMap(({ id: category, auditRefs }) =>
    auditRefs
      .map(({ id, weight }) => ({ weight, ...lhr.audits[id] }))
      .filter(({ weight, score }) => weight > 0 && score !== null && score < 1)
      .map(({ id, displayValue }) => `${category}: ${[id, displayValue].filter(Boolean).join(" ")}`),
  );
  process.stdout.write(JSON.stringify({ url: lhr.finalDisplayedUrl, scores, lost }));
} finally {
  await chrome.kill();
}
