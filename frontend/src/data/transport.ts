import type { Interceptor, Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { SessionStore } from "@/lib/session";
import { interceptors } from "./interceptors";

/** A call that has not answered in so many ticks of the page's clock is given up; streams say their own limit. */
const PATIENCE_TICKS = 20;
const TICK_MS = 1_000;

/**
 * Ends a call that is waited for in vain. Only time in which the page runs counts: after a laptop has slept, or a machine has stood
 * still, the answer may be on its way.
 */
const patient: Interceptor = (next) => async (request) => {
  if (request.stream) return next(request);
  const late = new AbortController();
  let left = PATIENCE_TICKS;
  const clock = setInterval(() => {
    left -= 1;
    if (left === 0) late.abort(new ConnectError("no answer in time", Code.DeadlineExceeded));
  }, TICK_MS);
  try {
    return await next({ ...request, signal: AbortSignal.any([request.signal, late.signal]) });
  } finally {
    clearInterval(clock);
  }
};

/** A place in a recording is also written while its page is being left: the browser then sends it to its end. */
const outliving: typeof fetch = (input, init) =>
  fetch(input, { ...init, keepalive: String(input).endsWith("/SavePlace") });

/** The app's way to the gateway, on its own origin. */
export const createTransport = (session: SessionStore): Transport =>
  createConnectTransport({
    baseUrl: "/",
    useHttpGet: true,
    fetch: outliving,
    interceptors: [...interceptors(session), patient],
  });
