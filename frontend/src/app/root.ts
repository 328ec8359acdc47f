import type { ReactNode } from "react";
import type { Data } from "@/lib/app";
import type { App } from "@/lib/app";
import type { SessionStore } from "@/lib/session";
import { createStore } from "@/lib/store";
import { patternAt } from "./routes";

/** Asks once, and again after a failure. What has come says so as React's `use` reads it, which then need not wait. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    if (asked) return asked;
    const asking = ask();
    asked = asking;
    asking.then(
      (value) => Object.assign(asking, { status: "fulfilled", value }),
      () => (asked = undefined),
    );
    return asking;
  };
}

/** The composition root: makes what a page has once, and wires it. main.tsx calls it; nothing is made by an import. */
export function createApp(session: SessionStore): App {
  const data = once<Data>(async () => (await import("@/data/data")).createData(session));
  const tabs = once(async () => (await import("./tabs")).watchTabs(session, data, patternAt));
  // Without it this tab hears of the others only when it is loaded again.
  const known = tabs().then(
    (watching) => watching.known,
    () => undefined,
  );
  return {
    data,
    known,
    signOut: async () => (await tabs()).signOut(),
    mini: createStore<ReactNode>(null),
  };
}
