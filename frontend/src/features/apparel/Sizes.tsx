import type { KeyboardEvent } from "react";
import { useRef } from "react";
import { apparel as copy } from "@/copy/apparel";
import { lineOf, useBasket } from "@/data/basket";
import type { Product } from "@/gen/serein/web/v1/shop_pb";
import { useInBrowser } from "@/lib/in-browser";
import { Icon } from "@/ui/Icon";
import { Quantity } from "./Quantity";
import css from "./Sizes.module.css";

/** A thing's sizes, unfolded over what stands below; one list at a time. */
export function Sizes({ product: { id, name, sizes } }: { product: Product }) {
  const ref = useRef<HTMLDetailsElement>(null);
  const { basket } = useBasket();
  // What is folded away is not written by the build: it comes with the app.
  const written = !useInBrowser();
  const inBasket = sizes.reduce(
    (sum, size) => sum + (lineOf(basket, { productId: id, size: size.name })?.quantity ?? 0),
    0,
  );
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !ref.current?.open) return;
    ref.current.open = false;
    ref.current.querySelector("summary")?.focus();
  };
  return (
    // Escape does what a second press on the summary does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details className={css.sizes} name="sizes" ref={ref} onKeyDown={close}>
      <summary>
        <span>
          {copy.sizes}
          <span className="sr">: {name}</span>
        </span>
        <span className={css.end}>
          {inBasket > 0 ? <b>{copy.inBasket(inBasket)}</b> : null}
          <Icon name="down" />
        </span>
      </summary>
      {written ? null : (
        <ul className={css.list}>
          {sizes.map((size) => (
            <li key={size.name} className={size.soldOut ? css.gone : undefined}>
              <span>{size.name}</span>
              {size.soldOut ? (
                <span>{copy.soldOut}</span>
              ) : (
                <Quantity item={{ productId: id, size: size.name, name }} name={copy.size(name, size.name)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
