import { memberships as copy } from "@/copy/memberships";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { CardAction } from "@/gen/serein/web/v1/shop_pb";
import { useAccountPanel } from "@/lib/account-panel";
import { formatCount } from "@/lib/format";
import { field, has, made, useFill, When } from "@/lib/template";
import { equals } from "@/lib/template-equals";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Emblem } from "@/ui/Emblem";
import css from "./Trial.module.css";

const words = copy.trial;

/** The free trial, above the plans. */
export function Trial({ card }: { card: MembershipCard }) {
  const { openSignUp } = useAccountPanel();
  const fill = useFill();
  const { trial } = card;
  const days = (of: "days" | "invitedDays") => fill(made(formatCount, field(trial, of, 0), "day", "days"));
  return (
    <section className={css.trial} data-badge={card.badge} aria-label={card.name}>
      <Emblem className={css.emblem} />
      <div>
        <h2>
          {card.name}{" "}
          <When {...has(card, "badge")}>
            <Badge>{card.badge}</Badge>
          </When>
        </h2>
        <p>
          <When {...has(card, "trial")}>
            {days("days")}
            {words.and}
            {words.credits(fill(field(trial, "credits", 0n)))} {words.invited(days("invitedDays"))}
          </When>
        </p>
      </div>
      <When {...equals(card, "action", CardAction.TRIAL)}>
        <Button look="primary" onClick={() => void openSignUp()}>
          {words.start}
        </Button>
      </When>
    </section>
  );
}
