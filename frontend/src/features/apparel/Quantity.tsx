import { lineOf, MOST, useBasket } from "@/data/basket";
import type { Item } from "@/data/basket-owner";
import { Stepper } from "@/ui/Stepper";

/** How many of it are in the basket. Minus on what is not there does nothing. */
export function Quantity({ item, name }: { item: Item; name: string }) {
  const { basket, add, change } = useBasket();
  const line = lineOf(basket, item);
  const quantity = line?.quantity ?? 0;
  const step = (by: 1 | -1) => {
    if (by > 0) void add(item);
    else if (line) void change(line, by);
  };
  return <Stepper name={name} quantity={quantity} most={quantity >= MOST} onStep={step} />;
}
