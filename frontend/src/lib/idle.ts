/** ms after which the page is taken to be idle: a busy phone may never say so, and Safari never does. */
const SOON_MS = 2000;

/** Runs `run` once the page has nothing else to do, and after `atMostMs` in any case. */
export function whenIdle(run: () => void, atMostMs = SOON_MS): void {
  if (window.requestIdleCallback) window.requestIdleCallback(run, { timeout: atMostMs });
  else window.setTimeout(run, atMostMs);
}

/** ms after which the next in turn runs on a page that is never idle. */
const TURN_MS = 200;

const waiting: (() => void)[] = [];

/** Runs `run` once the page has nothing else to do and all that wait before it have run, one in a task. */
export function inTurn(run: () => void): void {
  waiting.push(run);
  if (waiting.length === 1) whenIdle(next, TURN_MS);
}

function next(): void {
  const [run] = waiting;
  try {
    run?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) whenIdle(next, TURN_MS);
  }
}
