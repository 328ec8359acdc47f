import { memberships as copy } from "@/copy/memberships";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { CardAction } from "@/gen/serein/web/v1/shop_pb";
import { paths } from "@/lib/paths";
import { has, When } from "@/lib/template";
import { equals } from "@/lib/template-equals";
import { Art } from "@/ui/Art";
import { Badge } from "@/ui/Badge";
import { ButtonLink } from "@/ui/Button";
import css from "./Enquiry.module.css";

/** A plan that is asked for, and not bought here. */
export function Enquiry({ card }: { card: MembershipCard }) {
  return (
    <section className={css.enquiry} data-theme="dark" aria-label={card.name}>
      <Art scene="Trauma" seed="3" w={1200} h={240} theme="dark" className={css.art} />
      <div>
        <h2>
          {card.name}{" "}
          <When {...has(card, "badge")}>
            <Badge className={css.badge}>{card.badge}</Badge>
          </When>
        </h2>
        <p>{card.description}</p>
      </div>
      <When {...equals(card, "action", CardAction.ENQUIRE)}>
        <ButtonLink to={paths.enquiry(card.name)} className={css.button}>
          {copy.enquire}
        </ButtonLink>
      </When>
    </section>
  );
}
