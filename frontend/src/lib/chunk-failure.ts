import { jittered } from "./jitter";
import { remember, remembered } from "./storage";

/** Whether a part of the app could not be fetched: the line is down, or a newer app has taken its place. */
export const isChunkFailure = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|preload CSS/i.test(error.message);

const KEY = "serein-reloaded";
/** Sooner than this after the last time, loading again has not helped (ms). */
const AGAIN_AFTER_MS = 60_000;

/** Loads the page again by itself, but not over and over. Answers whether it does. */
export function reloadOnce(now = Date.now(), reload = () => window.location.reload()): boolean {
  const last = Number(remembered("sessionStorage", KEY) ?? 0);
  if (now - last < AGAIN_AFTER_MS) return false;
  remember("sessionStorage", KEY, String(now));
  reload();
  return true;
}

/** Whether a recording plays, which loading the page again would end. */
export const isPlaying = (): boolean => navigator.mediaSession?.playbackState === "playing";

const failed = new Set<() => void>();

/** `again` lets a part that could not be fetched be asked for once more; `allowAgain` calls it. */
export const onFailed = (again: () => void): void => void failed.add(again);

/** Call when a failed part is no longer shown: the next time that it is shown, it is asked for again. */
export function allowAgain(): void {
  for (const again of failed) again();
  failed.clear();
}

/** Pauses before each try to fetch a part again (ms, before jitter): a line that has just come back may need a moment. */
const TRIES_MS = [0, 1000, 3000];
/** The longest that a style sheet is waited for (ms). */
const STYLE_MS = 10_000;

const pause = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms));

/** Whether a style sheet did not come. Chromium gives a link that failed a sheet all the same, whose rules it refuses to show. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules;
  } catch {
    return true;
  }
}

/** Asks for style sheets that failed once more: the build's own loader asks once. */
async function styleAgain(): Promise<void> {
  const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  const missing = [...sheets].filter(isMissing);
  const came = missing.map(
    (link) =>
      new Promise<void>((done) => {
        const fresh = link.cloneNode() as HTMLLinkElement;
        for (const end of ["load", "error"]) fresh.addEventListener(end, () => done());
        link.replaceWith(fresh);
      }),
  );
  await Promise.race([Promise.all(came), pause(STYLE_MS)]);
}

/**
 * Fetches a part again that failed as `failure` says. A browser may remember that an address failed for as long as the page is
 * open, so its address is also asked for with a number, where the failure names it.
 */
export async function loadAgain<Module>(load: () => Promise<Module>, failure: unknown): Promise<Module> {
  const address = failure instanceof Error ? /\S+\.js(?=$|\s)/.exec(failure.message)?.[0] : undefined;
  let last = failure;
  for (const [n, ms] of TRIES_MS.entries()) {
    if (ms > 0) await pause(jittered(ms));
    await styleAgain();
    const tries = [load];
    if (address) tries.push(() => import(/* @vite-ignore */ `${address}?again=${n}`) as Promise<Module>);
    for (const ask of tries) {
      try {
        return await ask();
      } catch (error) {
        last = error;
      }
    }
  }
  throw last;
}
