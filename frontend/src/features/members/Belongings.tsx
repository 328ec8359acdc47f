import { useQuery } from "@connectrpc/connect-query";
import { useBasket } from "@/data/basket";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { Skeleton } from "@/ui/States";
import { MyBasket } from "./MyBasket";
import { Purchased } from "./Purchased";

/**
 * What is in the basket and what was bought. They come together, so that the one does not push the other down.
 * Both reads stand here: a part that appears and reads what has failed would ask again, and go away while it waits.
 */
export function Belongings() {
  const basket = useBasket();
  const membership = useQuery(OrderService.method.getMembership);
  if (membership.isPending || !(basket.basket || basket.error))
    return <Skeleton height="320px" round="var(--r3)" />;
  return (
    <>
      <MyBasket read={basket} />
      <Purchased read={membership} />
    </>
  );
}
