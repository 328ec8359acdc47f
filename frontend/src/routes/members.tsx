import { useState } from "react";
import { members } from "@/copy/members";
import { Balance } from "@/features/members/Balance";
import { greeting } from "@/features/members/greeting";
import { Trial } from "@/features/members/Trial";
import { useApp } from "@/lib/app";
import type { Member } from "@/lib/boot";
import { formatDate } from "@/lib/format";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import "@/features/members/members.css";

function Subscription({ member }: { member: Member }) {
  const { plan } = member;
  const rows: [string, string][] = [
    [members.plan.plan, plan?.name ?? members.plan.none],
    ...(plan?.endsAt
      ? [
          [plan.active ? members.plan.ends : members.plan.ended, formatDate(plan.endsAt)] satisfies [
            string,
            string,
          ],
        ]
      : []),
    [members.plan.name, `${member.givenName} ${member.familyName}`.trim()],
    [members.plan.email, member.email],
  ];
  return (
    <section className="panel" aria-labelledby="plan-title">
      <h2 id="plan-title">{members.plan.title}</h2>
      <dl className="kv">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Out() {
  const { signOut } = useApp();
  const [pending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    await signOut();
    setPending(false);
  };
  return (
    <section className="panel" aria-labelledby="out-title">
      <h2 id="out-title">{members.out.title}</h2>
      <Button small wide pending={pending} onClick={() => void leave()}>
        <Icon name="signOut" />
        {members.out.button}
      </Button>
    </section>
  );
}

/** The Members Area: who one is here, what is left, and the way out. Opened by members only. */
export default function Members() {
  const member = useMember();
  const [hello] = useState(() => greeting(new Date().getHours()));
  if (!member) return null;
  const trial = member.plan === null || member.plan.id === "free-trial";
  return (
    <div className="wrap">
      <div className="page-head">
        <h1>{member.givenName ? `${hello}, ${member.givenName}` : hello}</h1>
        <p className="lead">{members.lead}</p>
      </div>
      <div className="m">
        <div>
          {trial ? <Trial plan={member.plan} /> : null}
          <Balance credits={member.credits} trial={trial} />
        </div>
        <div>
          <Subscription member={member} />
          <Out />
        </div>
      </div>
    </div>
  );
}
