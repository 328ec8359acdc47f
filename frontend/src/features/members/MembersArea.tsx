import { useState } from "react";
import { members } from "@/copy/members";
import type { Member } from "@/lib/boot";
import { useTrialOffer } from "@/lib/session";
import { PageHead } from "@/ui/PageHead";
import { Balance } from "./Balance";
import { Belongings } from "./Belongings";
import { greeting } from "./greeting";
import css from "./MembersArea.module.css";
import { Preferences } from "./Preferences";
import { SignOut } from "./SignOut";
import { Subscription } from "./Subscription";
import { Trial } from "./Trial";

/** Who one is here, what is left, what waits and what was bought, and the way out. */
export function MembersArea({ member }: { member: Member }) {
  const [hello] = useState(() => greeting(new Date().getHours()));
  const offer = useTrialOffer();
  // The trial begins by an event, moments after the first sign-in.
  const trial = member.plan === null || member.plan.trial;
  return (
    <div className="wrap">
      <PageHead title={member.givenName ? `${hello}, ${member.givenName}` : hello} lead={members.lead} />
      <div className={css.columns}>
        <div>
          {trial ? <Trial plan={member.plan} /> : null}
          <Balance credits={member.credits} of={trial ? (offer?.credits ?? 0) : 0} />
        </div>
        <div className={css.side}>
          <Subscription member={member} />
          <Preferences />
          <SignOut />
        </div>
        <div>
          <Belongings />
        </div>
      </div>
    </div>
  );
}
