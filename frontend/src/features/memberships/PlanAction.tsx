import { memberships as copy } from "@/copy/memberships";
import type { MembershipCard, MembershipOffer } from "@/gen/serein/web/v1/shop_pb";
import { CardAction } from "@/gen/serein/web/v1/shop_pb";
import { useAccountPanel } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { When } from "@/lib/template";
import { equals } from "@/lib/template-equals";
import { Button, ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { TextButton } from "@/ui/TextButton";
import css from "./Plans.module.css";
import { useAddMembership } from "./useAddMembership";
import type { Period } from "./usePeriod";

interface PlanActionProps {
  card: MembershipCard;
  offer: MembershipOffer;
  period: Period;
  onChange: () => void;
}

/** The one button that an offer has, as the gateway says; a visitor may also sign up for it at once. */
export function PlanAction({ card, offer, period, onChange }: PlanActionProps) {
  const { addMembership, pending } = useAddMembership();
  const { openSignUpFor } = useAccountPanel();
  const member = useMember();
  const is = (action: CardAction) => equals(offer, "action", action);
  return (
    <div className={css.act}>
      <When {...is(CardAction.ADD)}>
        <Button
          className={css.button}
          pending={pending}
          aria-label={copy.addOf(card.name)}
          onClick={() => void addMembership(card, period)}
        >
          {copy.add}
        </Button>
        {member ? null : (
          <TextButton
            data-visitor=""
            aria-label={copy.joinOf(card.name)}
            onClick={() => openSignUpFor({ planId: card.id, period })}
          >
            {copy.join}
          </TextButton>
        )}
      </When>
      <When {...is(CardAction.IN_BASKET)}>
        <ButtonLink to={paths.basket}>
          <Icon name="tick" />
          {copy.inBasket}
        </ButtonLink>
      </When>
      <When {...is(CardAction.CURRENT)}>
        <p className={css.now}>{copy.current}</p>
      </When>
      <When {...is(CardAction.CHANGE)}>
        <Button className={css.button} aria-label={copy.changeTo(card.name)} onClick={onChange}>
          {copy.change}
        </Button>
      </When>
      <When {...is(CardAction.UNAVAILABLE)}>
        <p className={css.now}>{copy.unavailable}</p>
      </When>
    </div>
  );
}
