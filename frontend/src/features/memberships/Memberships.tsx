import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { memberships as copy } from "@/copy/memberships";
import { toUserError } from "@/data/errors";
import { lookAgain } from "@/data/shop";
import { PlanKind } from "@/gen/serein/web/v1/session_pb";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { CardAction, ShopService } from "@/gen/serein/web/v1/shop_pb";
import { paths } from "@/lib/paths";
import { preloadable } from "@/lib/preloadable";
import { Link, useLocation } from "@/lib/router";
import { planOfLink, saidOnLeaving } from "@/lib/said";
import { useMember } from "@/lib/session";
import type { Condition } from "@/lib/template";
import { Each, has, or, When } from "@/lib/template";
import { equals } from "@/lib/template-equals";
import { Segmented } from "@/ui/Choice";
import { Icon } from "@/ui/Icon";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel, Note } from "@/ui/States";
import { Enquiry } from "./Enquiry";
import css from "./Memberships.module.css";
import { Packs } from "./Packs";
import { Plan } from "./Plan";
import sheet from "./Plans.module.css";
import { Questions } from "./Questions";
import { Trial } from "./Trial";
import type { Period } from "./usePeriod";
import { usePeriod } from "./usePeriod";

const ChangeDialog = preloadable(() => import("./ChangeDialog"));

const PERIODS = [
  { value: "month", label: copy.monthly },
  { value: "year", label: copy.yearly },
] as const satisfies readonly { value: Period; label: string }[];

/** What is shown in the sheet: paid by the month or by the year. */
const sold = (card: MembershipCard): Condition =>
  or(equals(card, "kind", PlanKind.MEMBER), equals(card, "kind", PlanKind.GENERATE));

const isClosed = ({ monthly, yearly }: MembershipCard): boolean =>
  [monthly, yearly].some((offer) => offer?.action === CardAction.UNAVAILABLE);

/** For who pays, and has something to see to before another plan. */
const isWaiting = (card: MembershipCard): boolean =>
  sold(card).is && [card.monthly, card.yearly].some((offer) => offer?.action === CardAction.NONE);

/** The word for a member who has opened the link of a plan. */
function cameFor(plans: readonly MembershipCard[], id: string): string {
  const card = plans.find((one) => one.id === id);
  return card ? copy.cameFor(card.name) : copy.notSold;
}

/** The plans, as they are for who looks. */
export function Memberships() {
  // Buttons are another member's, or a visitor's, as soon as somebody else looks.
  useMember();
  const { data, error, refetch } = useQuery(
    ShopService.method.getMemberships,
    {},
    {
      placeholderData: keepPreviousData,
      refetchInterval: (query) => lookAgain(query, query.state.data?.plans.some(isClosed)),
    },
  );
  const { period, choose } = usePeriod();
  const { state } = useLocation();
  const said = saidOnLeaving(state);
  const wanted = planOfLink(state);
  // The plan that the member has changed to: it takes the focus, since the member's button is gone.
  const [changed, show] = useState("");
  const [changeTo, change] = useState<{ card: MembershipCard; period: Period } | null>(null);
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader label={copy.loading} />;
  const { plans } = data;
  return (
    <div className="wrap">
      <PageHead title={data.title} lead={data.subtitle} className={css.head}>
        <div className={css.billing}>
          <Segmented label={copy.billing} options={PERIODS} value={period} onChange={choose} />
          <p>{data.billing}</p>
        </div>
      </PageHead>
      {said ? <Note role="status">{said}</Note> : null}
      {wanted ? <Note role="status">{cameFor(plans, wanted)}</Note> : null}
      {plans.some(isWaiting) ? (
        <div className={css.first}>
          <Note>
            {copy.first}
            <Link to={paths.members}>{copy.changing.toMembers}</Link>.
          </Note>
        </div>
      ) : null}
      <Each of={plans}>
        {(card) => (
          <When key={card.id} {...equals(card, "kind", PlanKind.TRIAL)}>
            <Trial card={card} />
          </When>
        )}
      </Each>
      <div className={sheet.plans}>
        <Each of={plans}>
          {(card) => (
            <When key={card.id} {...sold(card)}>
              <Plan
                card={card}
                period={period}
                changed={card.id === changed}
                onChange={(of) => change({ card, period: of })}
              />
            </When>
          )}
        </Each>
      </div>
      <Each of={plans}>
        {(card) => (
          <When key={card.id} {...equals(card, "kind", PlanKind.ENQUIRY)}>
            <Enquiry card={card} />
          </When>
        )}
      </Each>
      <ul className={css.fine}>
        <li>
          <Icon name="card" />
          {copy.fine.card}
        </li>
        <li>
          <Icon name="undo" />
          {copy.fine.cancel}
        </li>
        <When {...has(data, "pricesIncludeVat")}>
          <li>
            <Icon name="info" />
            {copy.fine.vat}
          </li>
        </When>
      </ul>
      <Packs />
      <Questions title={data.questionsTitle} questions={data.questions} />
      {changeTo ? (
        <Suspense>
          <ChangeDialog
            card={changeTo.card}
            period={changeTo.period}
            onClose={() => change(null)}
            onDone={() => {
              change(null);
              show(changeTo.card.id);
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
