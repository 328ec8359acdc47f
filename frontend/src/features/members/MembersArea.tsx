import { Suspense, useEffect, useRef, useState } from "react";
import { greeting } from "@/copy/day";
import { members } from "@/copy/members";
import type { MembershipRead } from "@/data/membership";
import { useMembership } from "@/data/membership";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import type { Member } from "@/lib/boot";
import { preloadable } from "@/lib/preloadable";
import { PageHead } from "@/ui/PageHead";
import { Note, Skeleton } from "@/ui/States";
import { Balance } from "./Balance";
import { CancelCard } from "./CancelCard";
import { Cancelling } from "./Cancelling";
import { Ended } from "./Ended";
import { GodControls } from "./GodControls";
import { Grace } from "./Grace";
import css from "./MembersArea.module.css";
import type { Newest } from "./Newest";
import { useNewest } from "./Newest";
import { PassItOn } from "./PassItOn";
import type { Standing } from "./plan";
import { standingOf } from "./plan";
import { SignOut } from "./SignOut";
import { Subscription } from "./Subscription";
import { Trial } from "./Trial";
import type { Said } from "./useGiven";
import { useGiven } from "./useGiven";

const BasketAndPurchases = preloadable(() => import("./BasketAndPurchases"));
const Bands = preloadable(() => import("./Bands"));

/** Says what was just done, or was not. It takes the focus, since the member's button is gone. */
function Done({ said: [text, mark = "tick"] }: { said: Said }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text) ref.current?.focus();
  }, [text]);
  return (
    <div ref={ref} tabIndex={-1} className={css.done}>
      {text ? (
        <Note icon={mark} role="status" {...(mark === "alert" && { tone: "brass" })}>
          {text}
        </Note>
      ) : null}
    </div>
  );
}

interface AboveProps {
  standing: Standing;
  membership: Membership | undefined;
  topUp: number;
  onDone: (text: string) => void;
}

/** The one thing about the plan that wants to be seen first, where there is one. */
function Above({ standing, membership, topUp, onDone }: AboveProps) {
  const { status, trial } = standing;
  if (trial || status === MembershipStatus.UNSPECIFIED) return <Trial plan={standing} />;
  if (!membership) return null;
  if (status === MembershipStatus.GRACE) return <Grace membership={membership} />;
  if (status === MembershipStatus.ENDED) return <Ended membership={membership} topUp={topUp} />;
  if (status !== MembershipStatus.CANCELLING) return null;
  return <Cancelling membership={membership} topUp={topUp} onDone={onDone} />;
}

interface ColumnsProps {
  member: Member;
  read: MembershipRead;
  newest: Newest;
  onDone: (text: string) => void;
}

/** The plan and the credits, what belongs to them beside, and what was chosen and bought below. */
function Columns({ member, read, newest, onDone }: ColumnsProps) {
  const membership = read.data?.membership;
  const standing = standingOf(member, membership);
  const { credits } = member;
  return (
    <div className={css.columns}>
      <div>
        <Above standing={standing} membership={membership} topUp={credits.topUp} onDone={onDone} />
        <Balance credits={credits} standing={standing} membership={membership} newest={newest} />
      </div>
      <div className={css.side}>
        <Subscription member={member} read={read} />
        <PassItOn invitation={read.data?.invitation} />
        <CancelCard membership={membership} topUp={credits.topUp} onDone={onDone} />
        {read.data?.godControls ? <GodControls onDone={onDone} /> : null}
        <SignOut />
      </div>
      <div>
        <Suspense fallback={<Skeleton height="320px" round="var(--r3)" />}>
          <BasketAndPurchases membership={read} />
        </Suspense>
      </div>
    </div>
  );
}

/** How much there is to say is not known before: everything comes at once, and nothing moves another part. */
function Waiting() {
  return (
    <div className={css.columns} role="status" aria-label={members.loading}>
      <Skeleton height="720px" round="var(--r3)" />
      <Skeleton height="720px" round="var(--r3)" />
    </div>
  );
}

/** Who one is here, what is left, what waits and what was bought, and the way out. */
export function MembersArea({ member }: { member: Member }) {
  const [hello] = useState(() => greeting(new Date().getHours()));
  const [said, say] = useState<Said>([""]);
  const onDone = (...words: Said) => say(words);
  useGiven(onDone);
  const read = useMembership();
  const newest = useNewest();
  // Once: what is asked for again takes nothing away while it is waited for.
  const [come, setCome] = useState(false);
  if (!come && !read.isPending && !newest.isPending) setCome(true);
  return (
    <div className="wrap">
      <PageHead title={member.givenName ? `${hello}, ${member.givenName}` : hello} lead={members.lead} />
      <Done said={said} />
      {come ? <Columns member={member} read={read} newest={newest} onDone={onDone} /> : <Waiting />}
      <Suspense fallback={<Skeleton height="960px" round="var(--r3)" />}>
        <Bands membership={read} />
      </Suspense>
    </div>
  );
}
