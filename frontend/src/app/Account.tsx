import { use } from "react";
import { useBrowserLocation } from "@/lib/router";
import { DataProvider } from "@/data/DataProvider";
import { AccountPanel } from "@/features/account/AccountPanel";
import { SessionEnded } from "@/features/account/SessionEnded";
import { useApp } from "@/lib/app";
import { panelAt, sessionEnded } from "@/lib/account-panel";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";

/** The panel that is asked for now; one at a time. */
function Panel() {
  const panel = panelAt(useBrowserLocation());
  const member = useMember();
  const ended = useStore(sessionEnded);
  if (!member && panel) return <AccountPanel panel={panel} />;
  if (!member && ended) return <SessionEnded />;
  return null;
}

export default function Account() {
  return (
    <DataProvider data={use(useApp().data())}>
      <Panel />
    </DataProvider>
  );
}
