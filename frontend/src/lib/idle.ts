/** ms after which the page is taken to be idle: a busy phone may never say so, and Safari never does. */
const SOON_MS = 2000;

/** Runs `run` once the page has nothing else to do, and after `atMostMs` in any case. */
export function whenIdle(run: () => void, atMostMs = SOON_MS): void {
  if (window.requestIdleCallback) window.requestIdleCallback(run, { timeout: atMostMs });
  else window.setTimeout(run, atMostMs);
}
