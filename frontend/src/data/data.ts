import { createContext, useContext } from "react";
import type { Data } from "@/lib/app";
import type { SessionStore } from "@/lib/session";
import { dropLeftBehind } from "./left-behind";
import { createQueryClient } from "./query";
// By its alias: `--mode look` puts another in its place.
import { createTransport } from "@/data/transport";

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
