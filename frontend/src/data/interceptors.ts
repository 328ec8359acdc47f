import type { Interceptor } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { sessionEnded } from "@/lib/account-panel";
import type { SessionStore } from "@/lib/session";
import { showCredits } from "./credits";

/** A header no form of another site can send; the gateway refuses calls without it. */
const ours: Interceptor = (next) => (request) => {
  request.header.set("X-Serein", "1");
  return next(request);
};

/** When the server no longer knows the session, the page forgets the member and offers to sign in. */
const watchSession =
  (session: SessionStore): Interceptor =>
  (next) =>
  async (request) => {
    try {
      return await next(request);
    } catch (cause) {
      if (ConnectError.from(cause).code === Code.Unauthenticated && session.get().member) {
        session.becomeVisitor();
        sessionEnded.set(true);
      }
      throw cause;
    }
  };

/** A balance that comes with any answer is the newest one: the whole page shows it. */
const showBalance =
  (session: SessionStore): Interceptor =>
  (next) =>
  async (request) => {
    const response = await next(request);
    if (!response.stream) showCredits(session, response.message);
    return response;
  };

export const interceptors = (session: SessionStore): Interceptor[] => [
  watchSession(session),
  showBalance(session),
  ours,
];
