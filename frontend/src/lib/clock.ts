import { useSyncExternalStore } from "react";

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;

/** Takes the server's time (ms since 1970) as the truth; countdowns then agree with it. */
export function setServerTime(ms: number): void {
  ahead = ms - Date.now();
}

/** Now, in ms since 1970, by the server's clock. */
export const now = (): number => Date.now() + ahead;

const thisSecond = (): number => Math.floor(now() / 1000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  for (const listener of listeners) listener();
  timer = setTimeout(tick, 1000 - (now() % 1000));
}

/** Calls back at each second, until the answer is called. */
export function follow(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) timer = setTimeout(tick, 1000 - (now() % 1000));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** The present second (since 1970). All countdowns of a page share one timer. */
export const useSecond = (): number => useSyncExternalStore(follow, thisSecond, thisSecond);
