import { Suspense, useState } from "react";
import { members } from "@/copy/members";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import { preloadable } from "@/lib/preloadable";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import css from "./CancelCard.module.css";

const CancelDialog = preloadable(() => import("./CancelDialog"));

interface CancelCardProps {
  membership: Membership | undefined;
  topUp: number;
  onDone: (text: string) => void;
}

/** The way out of a paid plan that goes on. */
export function CancelCard({ membership, topUp, onDone }: CancelCardProps) {
  const [asking, ask] = useState(false);
  const grace = membership?.status === MembershipStatus.GRACE;
  if (!membership || !(grace || membership.status === MembershipStatus.ACTIVE)) return null;
  const words = grace ? members.inGrace : members.cancel;
  return (
    <Panel title={members.cancel.title}>
      <p className={css.text}>{words.text}</p>
      <Button look="danger" small wide aria-haspopup="dialog" onClick={() => ask(true)}>
        {words.open}
      </Button>
      {asking ? (
        <Suspense>
          <CancelDialog membership={membership} topUp={topUp} onClose={() => ask(false)} onDone={onDone} />
        </Suspense>
      ) : null}
    </Panel>
  );
}
