import { useAppData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { AccountPanel } from "@/features/account/AccountPanel";
import { Left } from "@/features/account/Left";
import { SessionEnded } from "@/features/account/SessionEnded";
import { ConsentDialog } from "@/features/consent/ConsentDialog";
import { leftUntil } from "@/lib/left";
import { useStore } from "@/lib/store";
import { preferencesOpen } from "@/lib/account-panel";
import type { AccountView } from "./account-view";

const closePreferences = () => preferencesOpen.set(false);

/** Tells members who have deleted their account until when they can undo it, and asks all others to sign in again. */
function Ended({ returnTo }: { returnTo: string }) {
  const until = useStore(leftUntil);
  return until ? <Left until={until} /> : <SessionEnded returnTo={returnTo} />;
}

function Shown({ view }: { view: AccountView }) {
  if (view.kind === "panel") return <AccountPanel panel={view.panel} />;
  if (view.kind === "ended") return <Ended returnTo={view.returnTo} />;
  return <ConsentDialog key={String(view.must)} onClose={view.must ? undefined : closePreferences} />;
}

export default function Account({ view }: { view: AccountView }) {
  return (
    <DataProvider data={useAppData()}>
      <Shown view={view} />
    </DataProvider>
  );
}
