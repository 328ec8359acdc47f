import type { Transport } from "@connectrpc/connect";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionStore } from "@/lib/session";
import { dropLeftBehind } from "./left-behind";
import { createQueryClient } from "./query";
// By its alias: `--mode look` puts another in its place.
import { createTransport } from "@/data/transport";

/** Everything that talks with the gateway, made once by the app's root and once by each test. */
export interface Data {
  /** Query keys contain it, so there is exactly one. */
  transport: Transport;
  queryClient: QueryClient;
  session: SessionStore;
  /**
   * A part that comes with a later chunk (the player) and must be made once as well: the first call with a
   * factory makes it, every other call answers with the same one.
   */
  part: <T>(make: (data: Data) => T) => T;
  /** Drops what was read for the member who has signed out, and what they left in this tab. */
  forget: () => void;
}

export function createData(
  session: SessionStore,
  transport = createTransport(session),
  queryClient = createQueryClient(),
): Data {
  const parts = new Map<unknown, unknown>();
  const data: Data = {
    transport,
    queryClient,
    session,
    part: <T>(make: (from: Data) => T): T => {
      if (!parts.has(make)) parts.set(make, make(data));
      return parts.get(make) as T;
    },
    forget: () => {
      queryClient.clear();
      dropLeftBehind();
    },
  };
  return data;
}

export const DataContext = createContext<Data | null>(null);

/** Only below DataProvider: on pages that say `data: true` in ROUTES, and in the account panel. */
export function useData(): Data {
  const data = useContext(DataContext);
  if (!data) throw new Error("useData stands outside DataProvider");
  return data;
}
