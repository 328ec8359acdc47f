import { useState } from "react";
import { members } from "@/copy/members";
import { useApp } from "@/lib/app";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";

/** The way out. */
export function SignOut() {
  const { signOut } = useApp();
  const [pending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    await signOut();
    setPending(false);
  };
  return (
    <Panel title={members.out.title}>
      <Button small wide pending={pending} onClick={() => void leave()}>
        <Icon name="signOut" />
        {members.out.button}
      </Button>
    </Panel>
  );
}
