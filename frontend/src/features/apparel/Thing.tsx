import { apparel as copy } from "@/copy/apparel";
import { useBasket } from "@/data/basket";
import type { Product } from "@/gen/serein/web/v1/shop_pb";
import { formatMoney } from "@/lib/money";
import { and, Each, field, has, made, not, useFill, When } from "@/lib/template";
import { Button } from "@/ui/Button";
import { ProductPicture } from "@/ui/ProductPicture";
import css from "./Apparel.module.css";
import { Quantity } from "./Quantity";
import { Sizes } from "./Sizes";

function Buy({ product }: { product: Product }) {
  const { add } = useBasket();
  const { id, name } = product;
  const item = { productId: id, size: "", name };
  const soldOut = has(product, "soldOut");
  const purchasable = has(product, "purchasable");
  const sized = has(product, "sizes");
  return (
    <>
      <When {...soldOut}>
        <p className={css.out}>{copy.soldOut}</p>
      </When>
      <When {...and(not(soldOut), not(purchasable))}>
        <p className={css.out}>{copy.unavailable}</p>
      </When>
      <When {...and(not(soldOut), purchasable, sized)}>
        <Sizes product={product} />
      </When>
      <When {...and(not(soldOut), purchasable, not(sized))}>
        <Button className={css.add} aria-label={copy.of(copy.add, name)} onClick={() => void add(item)}>
          {copy.add}
        </Button>
        <Quantity item={item} name={name} />
      </When>
    </>
  );
}

/** One thing, with its price and the way into the basket. */
export function Thing({ product }: { product: Product }) {
  const fill = useFill();
  const { name, description, details, picture } = product;
  return (
    <article className={css.thing}>
      <ProductPicture picture={picture} className={css.picture} />
      <div>
        <div className={css.head}>
          <h2>{name}</h2>
          <span className={css.price}>{fill(made(formatMoney, field(product, "price")))}</span>
        </div>
        <p className={css.words}>{description}</p>
        <ul className={css.details}>
          <Each of={details}>{(detail) => <li key={detail}>{detail}</li>}</Each>
        </ul>
      </div>
      <div className={css.buy}>
        <Buy product={product} />
      </div>
    </article>
  );
}
