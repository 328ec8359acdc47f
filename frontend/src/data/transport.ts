import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { SessionStore } from "@/lib/session";
import { interceptors } from "./interceptors";

/** A call that has not answered by then is given up (ms); streams say their own. */
const PATIENCE_MS = 20_000;

/** The app's way to the gateway, on its own origin. */
export const createTransport = (session: SessionStore): Transport =>
  createConnectTransport({
    baseUrl: "/",
    useHttpGet: true,
    defaultTimeoutMs: PATIENCE_MS,
    interceptors: interceptors(session),
  });
