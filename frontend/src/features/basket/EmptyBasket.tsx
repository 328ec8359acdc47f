import { basket } from "@/copy/basket";
import { paths } from "@/lib/paths";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import css from "./EmptyBasket.module.css";

const copy = basket.empty;

/** Nothing is in it. */
export function EmptyBasket() {
  return (
    <section className={css.empty} aria-labelledby="empty">
      <Art scene="Focus and Concentration" seed="7" w={1200} h={560} className={css.art} />
      <div className={css.words}>
        <h2 id="empty">{copy.title}</h2>
        <p>{copy.text}</p>
        <div className={css.ways}>
          <ButtonLink look="primary" to={paths.memberships}>
            {copy.browse}
          </ButtonLink>
          <ButtonLink look="quiet" to={paths.apparel}>
            {copy.apparel}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
