import type { Interceptor } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { openSignInAgain } from "@/lib/account-panel";
import { becomeVisitor, getSession } from "@/lib/session";

/** A header no form of another site can send; the gateway refuses calls without it. */
export const ours: Interceptor = (next) => (request) => {
  request.header.set("X-Serein", "1");
  return next(request);
};

/** When the server no longer knows the session, the page forgets the member and offers to sign in. */
export const watchSession: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (cause) {
    if (ConnectError.from(cause).code === Code.Unauthenticated && getSession().member) {
      becomeVisitor();
      openSignInAgain();
    }
    throw cause;
  }
};
