import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { members } from "@/copy/members";
import { toTrouble } from "@/data/errors";
import { defineWrite, useWrite } from "@/data/mutation";
import type { GetMembershipResponse } from "@/gen/serein/web/v1/orders_pb";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import type { Member } from "@/lib/boot";
import { formatDate, formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorNote, Skeleton } from "@/ui/States";
import css from "./Subscription.module.css";

const words = members.plan;

const OPEN_PORTAL = defineWrite({ method: OrderService.method.openPortal });

type Row = [name: string, value: string];

const COMES = "…";

/** What the session knows, until the subscription itself has come; what is to come has its place. */
function rowsOfSession({ plan }: Member): Row[] {
  if (!plan) return [[words.plan, words.none]];
  const end = plan.active ? words.ends : words.ended;
  return [
    [words.plan, plan.name],
    ...(plan.trial ? [] : [[words.price, COMES] satisfies Row]),
    [words.begins, COMES],
    [end, plan.endsAt ? formatDate(plan.endsAt) : COMES],
  ];
}

function rowsOf(membership: GetMembershipResponse): Row[] {
  const { planName, period, price, startsAt, endsAt, active, renews } = membership;
  const rows: Row[] = [[words.plan, planName || words.none]];
  if (period && price)
    rows.push([words.price, words[period === "year" ? "yearly" : "monthly"](formatMoney(price))]);
  if (startsAt) rows.push([words.begins, formatLongDate(timestampMs(startsAt))]);
  const end = active ? words.ends : words.ended;
  if (endsAt) rows.push([active && renews ? words.renews : end, formatDate(timestampMs(endsAt))]);
  return rows;
}

/** Leads to the provider's page where the card is changed. */
function UpdateCard() {
  const { send, pending, trouble } = useWrite(OPEN_PORTAL);
  const open = async () => {
    const { answer } = await send({});
    if (answer) window.location.assign(answer.url);
  };
  return (
    <>
      <Button small wide pending={pending} onClick={() => void open()}>
        {words.card}
      </Button>
      {trouble ? <ErrorNote message={trouble.message} /> : null}
    </>
  );
}

/** Others change by asking us, on the plans' page; these choose one there. */
const mayChoose = (plan: { active: boolean; trial: boolean } | null | undefined): boolean =>
  !plan?.active || plan.trial;

/** The plan, what it costs and until when, and whose it is. */
export function Subscription({ member }: { member: Member }) {
  const { data, error, refetch } = useQuery(OrderService.method.getMembership);
  // Who pays has a card, nearly always: its button has its place.
  const paid = member.plan !== null && !member.plan.trial;
  const rows = data ? rowsOf(data) : rowsOfSession(member);
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
      {error && !data ? (
        <ErrorNote message={toTrouble(error).message} onRetry={() => void refetch()} />
      ) : null}
      <div className={css.actions}>
        {mayChoose(data ?? member.plan) ? (
          <ButtonLink small wide to={paths.memberships}>
            {words.change}
          </ButtonLink>
        ) : null}
        {data?.hasCard ? <UpdateCard /> : null}
        {!data && !error && paid ? <Skeleton height="44px" round="var(--full)" /> : null}
      </div>
    </Panel>
  );
}
