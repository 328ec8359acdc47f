import { useEffect } from "react";
import { basketNews } from "@/copy/basket-news";
import { basketCount } from "@/copy/basket-count";
import { useBasket } from "@/data/basket";
import { useAppData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { toast } from "@/ui/toast/store";
import css from "./BasketCount.module.css";

function Count() {
  const { basket } = useBasket();
  const merged = basket?.merged === true;
  useEffect(() => {
    if (merged) toast(basketNews.merged, "info");
  }, [merged]);
  if (!basket) return null;
  const { count } = basket;
  return (
    <>
      {count > 0 ? (
        <span className={css.count} aria-hidden="true">
          {count}
        </span>
      ) : null}
      <span className="sr">{basketCount(count)}</span>
    </>
  );
}

/** How many pieces are in the basket, beside its icon. Comes with the gateway's side, after the page. */
export default function BasketCount() {
  return (
    <DataProvider data={useAppData()}>
      <Count />
    </DataProvider>
  );
}
