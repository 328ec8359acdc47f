import { use } from "react";
import { DataProvider } from "@/data/DataProvider";
import { AccountPanel } from "@/features/account/AccountPanel";
import { SessionEnded } from "@/features/account/SessionEnded";
import { ConsentDialog } from "@/features/consent/ConsentDialog";
import { useApp } from "@/lib/app";
import { preferencesOpen } from "@/lib/account-panel";
import type { AccountView } from "./account-view";

const closePreferences = () => preferencesOpen.set(false);

function Shown({ view }: { view: AccountView }) {
  if (view.kind === "panel") return <AccountPanel panel={view.panel} />;
  if (view.kind === "ended") return <SessionEnded returnTo={view.returnTo} />;
  return <ConsentDialog key={String(view.must)} onClose={view.must ? undefined : closePreferences} />;
}

export default function Account({ view }: { view: AccountView }) {
  return (
    <DataProvider data={use(useApp().data())}>
      <Shown view={view} />
    </DataProvider>
  );
}
