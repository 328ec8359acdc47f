import type { ReactNode } from "react";
import type { App } from "@/lib/app";
import { AppContext } from "@/lib/app";
import type { SessionStore } from "@/lib/session";
import { SessionContext } from "@/lib/session";

/** Hands down what the root has made. */
export function Providers({
  app,
  session,
  children,
}: {
  app: App;
  session: SessionStore;
  children: ReactNode;
}) {
  return (
    <AppContext value={app}>
      <SessionContext value={session}>{children}</SessionContext>
    </AppContext>
  );
}
