import { createContext, use, useContext } from "react";
import type { Data } from "@/lib/app";
import { useApp } from "@/lib/app";
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

/**
 * The gateway's side of the app; the component waits until it is loaded. What is there is not asked of React's `use`, which waits a
 * moment even for a promise that has resolved: while the build's markup is hydrated, that moment would replace the markup by a fallback.
 */
export function useAppData(): Data {
  const data = useApp().dataToRender();
  return data instanceof Promise ? use(data) : data;
}
