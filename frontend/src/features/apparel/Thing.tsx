import { apparel as copy } from "@/copy/apparel";
import { useBasket } from "@/data/basket";
import type { Product } from "@/gen/serein/web/v1/shop_pb";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { ProductPicture } from "@/ui/ProductPicture";
import css from "./Apparel.module.css";
import { Quantity } from "./Quantity";
import { Sizes } from "./Sizes";

function Buy({ product }: { product: Product }) {
  const { add } = useBasket();
  const { id, name, sizes, soldOut, purchasable } = product;
  if (soldOut) return <p className={css.out}>{copy.soldOut}</p>;
  if (!purchasable) return <p className={css.out}>{copy.unavailable}</p>;
  if (sizes.length > 0) return <Sizes product={product} />;
  const item = { productId: id, size: "", name };
  return (
    <>
      <Button className={css.add} aria-label={copy.of(copy.add, name)} onClick={() => void add(item)}>
        {copy.add}
      </Button>
      <Quantity item={item} name={name} />
    </>
  );
}

/** One thing, with its price and the way into the basket. */
export function Thing({ product }: { product: Product }) {
  const { name, price, description, details, picture } = product;
  return (
    <article className={css.thing}>
      <ProductPicture picture={picture} className={css.picture} />
      <div>
        <div className={css.head}>
          <h2>{name}</h2>
          <span className={css.price}>{formatMoney(price)}</span>
        </div>
        <p className={css.words}>{description}</p>
        {details.length > 0 ? (
          <ul className={css.details}>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        ) : null}
      </div>
      <div className={css.buy}>
        <Buy product={product} />
      </div>
    </article>
  );
}
