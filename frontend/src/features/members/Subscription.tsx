import { members } from "@/copy/members";
import type { Member } from "@/lib/boot";
import { formatDate } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import css from "./Subscription.module.css";

const words = members.plan;

/** The plan, and whose it is. */
export function Subscription({ member }: { member: Member }) {
  const { plan } = member;
  const rows: [string, string][] = [[words.plan, plan?.name ?? words.none]];
  if (plan?.endsAt) rows.push([plan.active ? words.ends : words.ended, formatDate(plan.endsAt)]);
  rows.push([words.name, `${member.givenName} ${member.familyName}`.trim()], [words.email, member.email]);
  return (
    <Panel title={words.title}>
      <dl className={css.rows}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
