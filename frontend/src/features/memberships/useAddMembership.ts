import { useBasket } from "@/data/basket";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { paths } from "@/lib/paths";
import { useNavigate } from "@/lib/router";
import type { Period } from "./usePeriod";

/** Puts a membership into the basket and leads there: what became of it, and of other things, is said there. */
export function useAddMembership() {
  const { add, pending } = useBasket();
  const navigate = useNavigate();
  const addMembership = async (card: MembershipCard, period: Period) => {
    const offer = period === "year" ? card.yearly : card.monthly;
    const item = { productId: card.id, size: period, name: card.name };
    if ((await add(item, { price: offer?.price })) !== null) navigate(paths.basket);
  };
  return { addMembership, pending };
}
