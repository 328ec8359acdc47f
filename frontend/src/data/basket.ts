import { useQuery } from "@tanstack/react-query";
import type { Basket, BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { useInBrowser } from "@/lib/in-browser";
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
  // The bar may have read it while the page below, whose markup knows of none, is still being taken over.
  const inBrowser = useInBrowser();
  const uid = useMember()?.uid ?? "";
  const { pending, news, ...changes } = data.part(createBasket);
  const read = useQuery(
    {
      ...basketOptions(data, uid),
      // While markup is taken over everybody is a visitor. Asked then for nobody, the gateway would bring a member's own basket
      // along, and say so in an answer that nobody reads.
      enabled: inBrowser,
      // Another tab may have changed it, just now too.
      refetchOnWindowFocus: "always",
    },
    data.queryClient,
  );
  const basket = inBrowser ? read.data?.basket : undefined;
  const told = useStore(news);
  return {
    ...changes,
    /** Undefined until it is known. */
    basket,
    error: inBrowser ? read.error : null,
    refetch: read.refetch,
    /** A change is on its way. */
    pending: useStore(pending) > 0,
    /** What was said of the basket as it is now. */
    news: told && told.version === basket?.version ? told : null,
    dismiss: () => news.set(null),
  };
}
