/** ms after which a browser that cannot tell (Safari) is taken to be idle. */
const SOON_MS = 2000;

/** Runs `run` once the page has nothing else to do; after `soonMs` where the browser cannot tell. */
export function whenIdle(run: () => void, soonMs = SOON_MS): void {
  if (window.requestIdleCallback) window.requestIdleCallback(run);
  else window.setTimeout(run, soonMs);
}
