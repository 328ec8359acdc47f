import type { Interceptor, Transport } from "@connectrpc/connect";
import { createRouterTransport } from "@connectrpc/connect";
import { interceptors } from "@/data/interceptors";
import type { SessionStore } from "@/lib/session";
import { mockAccount } from "./mock-account";
import { mockGenerator } from "./mock-generator";

/** Answers take their time, as from afar: what is laid out before them must stand afterwards. */
const distance: Interceptor = (next) => async (request) => {
  await new Promise((done) => setTimeout(done, 200));
  return next(request);
};

/** Stands in for the gateway in `--mode look`: every service answers from memory, in this page. */
export const createTransport = (session: SessionStore): Transport =>
  createRouterTransport(
    (router) => {
      mockAccount(router);
      mockGenerator(router);
    },
    { transport: { interceptors: [...interceptors(session), distance] } },
  );
