import { useEffect, useRef } from "react";
import { memberships as copy } from "@/copy/memberships";
import type { MembershipCard, MembershipOffer } from "@/gen/serein/web/v1/shop_pb";
import { formatMoney, times } from "@/lib/money";
import { and, Each, field, has, made, not, useFill, When } from "@/lib/template";
import { Badge } from "@/ui/Badge";
import { Icon } from "@/ui/Icon";
import { Emblem } from "@/ui/Emblem";
import { PlanAction } from "./PlanAction";
import css from "./Plans.module.css";
import type { Period } from "./usePeriod";

const MONTHS = 12;

/** What a year saves against twelve months, in words; "" where that is nothing. */
function saving({ monthly, yearly }: MembershipCard): string {
  const amount = times(monthly?.price, MONTHS).amount - (yearly?.price?.amount ?? 0n);
  if (!monthly || !yearly || amount <= 0n) return "";
  return copy.saves(formatMoney({ amount, currency: yearly.price?.currency ?? "gbp" }));
}

interface OfferProps {
  card: MembershipCard;
  offer: MembershipOffer;
  period: Period;
  onChange: (period: Period) => void;
}

/** A plan's price for one period, what it holds, and its button. */
function Offer({ card, offer, period, onChange }: OfferProps) {
  const fill = useFill();
  const price = fill(made(formatMoney, field(offer, "price")));
  const credits = fill(field(offer, "credits"));
  const yearly = fill(made(formatMoney, field(card.yearly, "price", undefined)));
  return (
    <>
      <p className={css.price}>
        <b>{price}</b> <span>{period === "year" ? copy.aYear : copy.aMonth}</span>
        {period === "year" ? (
          <small>{saving(card)}</small>
        ) : (
          <When {...has(card, "yearly")}>
            <small>{copy.orYearly(yearly)}</small>
          </When>
        )}
      </p>
      <ul className={css.features}>
        <When {...has(offer, "credits")}>
          <li>
            <Icon name="tick" />
            <span>{copy.credits(credits, period)}</span>
          </li>
        </When>
        <Each of={card.features}>
          {(feature) => (
            <li key={feature}>
              <Icon name="tick" />
              <span>{feature}</span>
            </li>
          )}
        </Each>
      </ul>
      <PlanAction card={card} offer={offer} period={period} onChange={() => onChange(period)} />
    </>
  );
}

/** A plan that is sold, in the sheet of them. */
export function Plan({
  card,
  period,
  changed,
  onChange,
}: {
  card: MembershipCard;
  period: Period;
  /** It has become the member's just now, and takes the focus. */
  changed: boolean;
  onChange: (period: Period) => void;
}) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (changed) ref.current?.focus({ preventScroll: true });
  }, [changed]);
  const { monthly, yearly } = card;
  const shown = (period === "year" ? yearly && "year" : monthly && "month") ?? (monthly ? "month" : "year");
  return (
    <section ref={ref} tabIndex={-1} className={css.plan} data-badge={card.badge} aria-label={card.name}>
      <div className={css.top}>
        <Emblem />
        <When {...has(card, "badge")}>
          <Badge className={css.badge}>{card.badge}</Badge>
        </When>
      </div>
      <h2>{card.name}</h2>
      <p className={css.for}>{card.description}</p>
      <When {...has(card, "monthly")} is={shown === "month" && monthly !== undefined}>
        {monthly ? <Offer card={card} offer={monthly} period="month" onChange={onChange} /> : null}
      </When>
      <When
        {...and(has(card, "yearly"), not(has(card, "monthly")))}
        is={shown === "year" && yearly !== undefined}
      >
        {yearly ? <Offer card={card} offer={yearly} period="year" onChange={onChange} /> : null}
      </When>
    </section>
  );
}
