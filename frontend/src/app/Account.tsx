import { use } from "react";
import { DataProvider } from "@/data/DataProvider";
import { AccountPanel } from "@/features/account/AccountPanel";
import { SessionEnded } from "@/features/account/SessionEnded";
import { ConsentDialog } from "@/features/consent/ConsentDialog";
import { useApp } from "@/lib/app";
import { preferencesOpen } from "@/lib/account-panel";
import type { Face } from "./account-face";

const closePreferences = () => preferencesOpen.set(false);

function Shown({ face }: { face: Face }) {
  if (face.kind === "panel") return <AccountPanel panel={face.panel} />;
  if (face.kind === "ended") return <SessionEnded />;
  return <ConsentDialog key={String(face.must)} onClose={face.must ? undefined : closePreferences} />;
}

export default function Account({ face }: { face: Face }) {
  return (
    <DataProvider data={use(useApp().data())}>
      <Shown face={face} />
    </DataProvider>
  );
}
