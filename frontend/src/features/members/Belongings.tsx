import { useQuery } from "@connectrpc/connect-query";
import { useBasket } from "@/data/basket";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { Skeleton } from "@/ui/States";
import { MyBasket } from "./MyBasket";
import { Purchased } from "./Purchased";

/** What is in the basket and what was bought. They come together, so that the one does not push the other down. */
export function Belongings() {
  const { basket, error } = useBasket();
  const { isPending } = useQuery(OrderService.method.getMembership);
  if (isPending || !(basket || error)) return <Skeleton height="320px" round="var(--r3)" />;
  return (
    <>
      <MyBasket />
      <Purchased />
    </>
  );
}
