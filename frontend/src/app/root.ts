import type { ReactNode } from "react";
import { shell } from "@/copy/shell";
import type { Data } from "@/data/data";
import type { App } from "@/lib/app";
import type { SessionStore } from "@/lib/session";
import { createStore } from "@/lib/store";
import { toast } from "@/ui/toast/store";
import { watchTabs } from "./tabs";

/** The composition root: makes what a page has once, and wires it. main.tsx calls it; nothing is made by an import. */
export function createApp(session: SessionStore): App {
  let made: Promise<Data> | undefined;
  const data = () => {
    made ??= import("@/data/page").then(({ pageData }) => pageData);
    // A chunk that did not come is asked for again by the next call.
    made.catch(() => (made = undefined));
    return made;
  };
  const tabs = watchTabs(session, data);
  const signOut = async () => {
    const [{ runWrite }, { SIGN_OUT }] = await Promise.all([
      import("@/data/mutation"),
      import("@/data/session"),
    ]);
    const { answer } = await runWrite(await data(), SIGN_OUT, {});
    if (!answer) return toast(shell.signOutFailed, "info");
    tabs.tellSignedOut();
    window.location.assign(answer.redirectUrl || "/");
  };
  return { data, signOut, mini: createStore<ReactNode>(null) };
}
