import { createContext, useContext } from "react";
import type { Data } from "@/data/data";

/** What the shell may ask of the app's root (app/root.ts) without loading what that needs. */
export interface App {
  /** The gateway's side of the app: loaded with the first call, the same ever after. */
  data: () => Promise<Data>;
  /** Ends the session here and everywhere, then opens the page the server names. */
  signOut: () => Promise<void>;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("useApp stands outside Providers");
  return app;
}
