import { members } from "@/copy/members";
import { useCard } from "@/data/card";
import { toUserError } from "@/data/errors";
import type { MembershipRead } from "@/data/membership";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import type { Member } from "@/lib/boot";
import { formatDate, formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Badge } from "@/ui/Badge";
import { Button, ButtonLink } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorNote } from "@/ui/States";
import { dueDay, msOf } from "./plan";
import css from "./Subscription.module.css";

const words = members.plan;

type Row = [name: string, value: string, badge?: string | undefined];

/** What the session knows, where the membership itself did not come, or there is none yet. */
function rowsOfSession({ plan }: Member): Row[] {
  if (!plan) return [[words.plan, words.none]];
  const until = plan.trial ? words.ends : words.renews;
  const end: Row[] = plan.endsAt ? [[plan.active ? until : words.ended, dueDay(plan.endsAt)]] : [];
  return [[words.plan, plan.name], ...end];
}

/** "Core, monthly" */
function nameOf({ planName, period }: Membership): string {
  if (period === "year") return words.yearly(planName);
  return period === "month" ? words.monthly(planName) : planName;
}

/** How it goes on, or ends. */
function rowsOfStatus(membership: Membership): Row[] {
  const { status, price, cardLast4 } = membership;
  const ends = dueDay(msOf(membership.endsAt));
  const card: Row[] = cardLast4 ? [[words.cardRow, words.ending(cardLast4)]] : [];
  switch (status) {
    case MembershipStatus.ACTIVE:
      return [[words.renews, price ? words.renewal(ends, formatMoney(price)) : ends], ...card];
    case MembershipStatus.CANCELLING:
      return [
        [words.ends, ends, css.brass],
        [words.cardRow, words.notCharged],
      ];
    case MembershipStatus.GRACE:
      return [
        [words.payment, words.declined, css.danger],
        [words.openUntil, formatDate(msOf(membership.accessUntil))],
      ];
    case MembershipStatus.TRIAL:
      return [[words.ends, ends]];
    default:
      return [[words.ended, formatLongDate(msOf(membership.endsAt))]];
  }
}

function rowsOf(membership: Membership): Row[] {
  const { trial, startsAt } = membership;
  // That of a paid plan is the beginning of a period, and would be taken for that of the membership.
  const began: Row[] = trial && startsAt ? [[words.begins, formatLongDate(msOf(startsAt))]] : [];
  return [[words.plan, nameOf(membership)], ...rowsOfStatus(membership), ...began];
}

/** Leads to the provider's page where the card is changed. */
function UpdateCard() {
  const { update, pending, trouble } = useCard();
  return (
    <>
      <Button small wide pending={pending} onClick={update}>
        {words.card}
      </Button>
      {trouble ? <ErrorNote message={trouble} /> : null}
    </>
  );
}

/** With a card that is charged; where one failed, its button stands above. */
const mayUpdate = (read: MembershipRead["data"]): boolean =>
  read?.hasCard === true && read.membership?.status === MembershipStatus.ACTIVE;

/** The plan, how it goes on, and whose it is. */
export function Subscription({ member, read }: { member: Member; read: MembershipRead }) {
  const { data, error, refetch } = read;
  const membership = data?.membership?.status ? data.membership : undefined;
  const rows = membership ? rowsOf(membership) : rowsOfSession(member);
  rows.push([words.name, `${member.givenName} ${member.familyName}`.trim()], [words.email, member.email]);
  return (
    <Panel title={words.title}>
      <dl className={css.rows}>
        {rows.map(([name, value, badge]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{badge ? <Badge className={badge}>{value}</Badge> : value}</dd>
          </div>
        ))}
      </dl>
      {error && !data ? (
        <ErrorNote message={toUserError(error).message} onRetry={() => void refetch()} />
      ) : null}
      <div className={css.actions}>
        <ButtonLink small wide to={paths.memberships}>
          {words.change}
        </ButtonLink>
        {mayUpdate(data) ? <UpdateCard /> : null}
        <ButtonLink small wide look="quiet" to={paths.journey}>
          {words.made}
        </ButtonLink>
      </div>
    </Panel>
  );
}
