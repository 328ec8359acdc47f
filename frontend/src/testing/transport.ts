import type { Transport } from "@connectrpc/connect";
import { createRouterTransport } from "@connectrpc/connect";
import { interceptors } from "@/data/interceptors";
import type { SessionStore } from "@/lib/session";
import { mockAccount } from "./mock-account";
import { mockGenerator } from "./mock-generator";

/** Stands in for the gateway in `--mode look`: every service answers from memory, in this page. */
export const createTransport = (session: SessionStore): Transport =>
  createRouterTransport(
    (router) => {
      mockAccount(router);
      mockGenerator(router);
    },
    { transport: { interceptors: interceptors(session) } },
  );
