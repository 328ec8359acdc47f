import type { ReactNode } from "react";
import type { App, Data } from "@/lib/app";
import { onFailed } from "@/lib/chunk-failure";
import type { SessionStore } from "@/lib/session";
import { createStore } from "@/lib/store";
import { patternAt } from "./routes";

/** Asks once, and again after a failure. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    if (asked) return asked;
    const asking = ask();
    asked = asking;
    asking.catch(() => (asked = undefined));
    return asking;
  };
}

/** The composition root: makes what a page has once, and wires it. main.tsx calls it; nothing is made by an import. */
export function createApp(session: SessionStore): App {
  let loaded: Data | undefined;
  const data = once(async () => (loaded = (await import("@/data/data")).createData(session)));
  let awaited: Promise<Data> | undefined;
  const wait = () => {
    awaited = data();
    awaited.catch(() => onFailed(() => (awaited = undefined)));
    return awaited;
  };
  const tabs = once(async () => (await import("./tabs")).watchTabs(session, data, patternAt));
  // Without it this tab hears of the others only when it is loaded again.
  const known = tabs().then(
    (watching) => watching.known,
    () => undefined,
  );
  return {
    data,
    dataToRender: () => awaited ?? loaded ?? wait(),
    known,
    signOut: async () => (await tabs()).signOut(),
    mini: createStore<ReactNode>(null),
  };
}
