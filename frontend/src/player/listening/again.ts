import { Code } from "@connectrpc/connect";
import { toUserError } from "@/data/errors";
import { jittered } from "@/lib/jitter";

/** What the gateway answers with these it answers the next time too. */
const FINAL: ReadonlySet<Code> = new Set([Code.NotFound, Code.PermissionDenied]);

/** The pause after the first failure where the gateway names none, and the longest; ms. */
const FIRST_MS = 2_000;
const MOST_MS = 60_000;

/** How many calls in a row may fail; after that, half an hour later, only the listener or the network brings another. */
export const MOST_FAILURES = 30;

/**
 * How long to wait (ms) before a call that failed for the `failures`-th time in a row is made again; undefined where it never is.
 * `share`, 0 to 1, is drawn for the jitter.
 */
export function pauseBefore(cause: unknown, failures: number, share: number): number | undefined {
  const { code, reason, retryAfter } = toUserError(cause);
  if (FINAL.has(code) || reason === "SUBSCRIPTION_REQUIRED") return undefined;
  const growing = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return jittered(retryAfter ? retryAfter * 1000 : growing, share);
}
