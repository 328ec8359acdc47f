import { Code, ConnectError } from "@connectrpc/connect";
import { QueryClient } from "@tanstack/react-query";

/** How long an answer counts as fresh, in milliseconds. */
export const AGE = {
  /** What belongs to the member: credits, journey. */
  member: 15_000,
  /** What editors change: generator page, types, tracks. */
  catalogue: 5 * 60_000,
} as const;

const AGAIN = new Set([Code.Unavailable, Code.DeadlineExceeded]);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: AGE.member,
        refetchOnWindowFocus: false,
        retry: (failures, cause) => failures < 2 && AGAIN.has(ConnectError.from(cause).code),
      },
    },
  });
