import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { ours, watchSession } from "./interceptors";

/** The app's only transport: query keys contain it, so there must be exactly one. */
export const transport: Transport = createConnectTransport({
  baseUrl: "/",
  useHttpGet: true,
  interceptors: [watchSession, ours],
});
