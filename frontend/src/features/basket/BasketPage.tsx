import { basket as copy } from "@/copy/basket";
import { useBasket } from "@/data/basket";
import { isMembership } from "@/data/basket-lines";
import { toUserError } from "@/data/errors";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";
import css from "./BasketPage.module.css";
import { EmptyBasket } from "./EmptyBasket";
import { Line } from "./Line";
import { OneMembership } from "./OneMembership";
import { Saved } from "./Saved";
import { Strip } from "./Strip";
import { Summary } from "./Summary";

/** What is bought next, what waits, and the way to the checkout. */
export function BasketPage() {
  const { basket, news, error, refetch, clear, pending } = useBasket();
  if (error && !basket) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  const { lines = [], saved = [] } = basket ?? {};
  const full = lines.length > 0;
  return (
    <div className="wrap">
      <PageHead title={copy.title} className={css.head}>
        {full ? (
          <Button look="quiet" small pending={pending} onClick={() => void clear()}>
            <Icon name="bin" />
            {copy.clear}
          </Button>
        ) : null}
      </PageHead>
      {basket ? (
        <div className={full ? css.columns : undefined}>
          <div>
            <Strip />
            {news?.instead ? <OneMembership instead={news.instead} /> : null}
            {full ? (
              <ul className={css.lines} aria-label={copy.lines}>
                {lines.map((line) => (
                  <Line key={line.id} line={line} />
                ))}
              </ul>
            ) : (
              <EmptyBasket />
            )}
            <div className={css.later}>
              <Saved lines={saved} alone={lines.some(isMembership)} />
            </div>
          </div>
          {full ? <Summary basket={basket} /> : null}
        </div>
      ) : (
        <PageLoader label={copy.loading} />
      )}
    </div>
  );
}
