import { useBasket } from "@/data/basket";
import type { MembershipRead } from "@/data/membership";
import { Skeleton } from "@/ui/States";
import { MyBasket } from "./MyBasket";
import { Purchased } from "./Purchased";

/** What is in the basket and what was bought. They come together, so that the one does not push the other down. */
export default function BasketAndPurchases({ membership }: { membership: MembershipRead }) {
  const basket = useBasket();
  if (!(basket.basket || basket.error)) return <Skeleton height="320px" round="var(--r3)" />;
  return (
    <>
      <MyBasket read={basket} />
      <Purchased read={membership} />
    </>
  );
}
