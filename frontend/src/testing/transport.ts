import type { Transport } from "@connectrpc/connect";
import { createRouterTransport } from "@connectrpc/connect";
import { ours, watchSession } from "@/data/interceptors";
import { mockAccount } from "./mock-account";
import { mockGenerator } from "./mock-generator";

/** Stands in for the gateway in `--mode look`: every service answers from memory, in this page. */
export const transport: Transport = createRouterTransport(
  (router) => {
    mockAccount(router);
    mockGenerator(router);
  },
  { transport: { interceptors: [watchSession, ours] } },
);
