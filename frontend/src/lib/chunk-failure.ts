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
