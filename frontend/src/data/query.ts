import { Code, ConnectError } from "@connectrpc/connect";
import { QueryClient } from "@tanstack/react-query";

/** How long an answer counts as fresh. */
const STALE_MS = 15_000;

/** What may pass in a moment. A call that was waited for in vain is ended with words and a way to try again. */
const AGAIN = new Set([Code.Unavailable]);

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, cause) => failures < 2 && AGAIN.has(ConnectError.from(cause).code),
      },
    },
  });
  // By itself it asks again only where it saw the line go, and a page that was opened without one saw nothing.
  const heal = () =>
    client.refetchQueries(
      { type: "active", predicate: ({ state }) => state.status === "error" },
      { cancelRefetch: false },
    );
  globalThis.addEventListener?.("online", () => void heal());
  return client;
}
