import { memberships as copy } from "@/copy/memberships";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { CardAction } from "@/gen/serein/web/v1/shop_pb";
import { useAccountPanel } from "@/lib/account-panel";
import { useCount, useFill, When } from "@/lib/template";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Emblem } from "@/ui/Emblem";
import css from "./Trial.module.css";

const words = copy.trial;

/** The free trial, above the plans. */
export function Trial({ card }: { card: MembershipCard }) {
  const { openSignUp } = useAccountPanel();
  const count = useCount();
  const fill = useFill();
  const { days = 0, invitedDays = 0, credits = 0n } = card.trial ?? {};
  return (
    <section className={css.trial} data-badge={card.badge} aria-label={card.name}>
      <Emblem className={css.emblem} />
      <div>
        <h2>
          {card.name}{" "}
          <When is={card.badge !== ""} test=".Badge">
            <Badge>{card.badge}</Badge>
          </When>
        </h2>
        <p>
          <When is={card.trial !== undefined} test=".Trial">
            {count(".Trial.Days", days, "day", "days")}
            {words.and}
            {words.credits(fill(".Trial.Credits", String(credits)))}{" "}
            {words.invited(count(".Trial.InvitedDays", invitedDays, "day", "days"))}
          </When>
        </p>
      </div>
      <When is={card.action === CardAction.TRIAL} test={`eq .Action ${CardAction.TRIAL}`}>
        <Button look="primary" onClick={() => void openSignUp()}>
          {words.start}
        </Button>
      </When>
    </section>
  );
}
