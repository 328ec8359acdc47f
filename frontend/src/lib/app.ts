import type { Transport } from "@connectrpc/connect";
import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createContext, useContext } from "react";
import type { SessionStore } from "./session";
import type { Store } from "./store";

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

/** What the shell may ask of the app's root (app/root.ts) without loading what that needs. */
export interface App {
  /** The gateway's side of the app: loaded with the first call, the same ever after. */
  data: () => Promise<Data>;
  /**
   * The same for a component (`useAppData`): itself, where it was loaded before any component asked for it; else, and ever after, the
   * promise that they wait for.
   */
  dataToRender: () => Data | Promise<Data>;
  /** It is known who is signed in, or was asked for in vain where the gateway could not say it with the page. */
  known: Promise<unknown>;
  /** Ends the session here and everywhere, then opens the page the server names. */
  signOut: () => Promise<void>;
  /** What stands at the foot of every page: the mini player, put here by the first page that can play. */
  mini: Store<ReactNode>;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("useApp stands outside Providers");
  return app;
}
