import { useQuery } from "@tanstack/react-query";
import type { Basket, BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import type { Item } from "./basket-owner";
import { basketOptions, createBasket } from "./basket-owner";
import { useData } from "./data";

/** As many of a thing there can be, as the contract has it (SetQuantityRequest). */
export const MOST = 99;

/** The line of a thing that is bought now. */
export const lineOf = (
  basket: Basket | undefined,
  { productId, size }: Pick<Item, "productId" | "size">,
): BasketLine | undefined => basket?.lines.find((line) => line.productId === productId && line.size === size);

/** The basket of who looks, and its changes, which show themselves on every screen. */
export function useBasket() {
  const data = useData();
  const uid = useMember()?.uid ?? "";
  const { pending, news, ...changes } = data.part(createBasket);
  // Another tab may have changed it, just now too.
  const read = useQuery({ ...basketOptions(data, uid), refetchOnWindowFocus: "always" }, data.queryClient);
  const basket = read.data?.basket;
  const told = useStore(news);
  return {
    ...changes,
    /** Undefined until it is known. */
    basket,
    error: read.error,
    refetch: read.refetch,
    /** A change is on its way. */
    pending: useStore(pending) > 0,
    /** What was said of the basket as it is now. */
    news: told && told.version === basket?.version ? told : null,
    dismiss: () => news.set(null),
  };
}
