import { timestampMs } from "@bufbuild/protobuf/wkt";
import { basket as basketCopy } from "@/copy/basket";
import { members } from "@/copy/members";
import { orders } from "@/copy/orders";
import { toUserError } from "@/data/errors";
import type { MembershipRead } from "@/data/membership";
import { withoutCheckout } from "@/data/order-cause";
import type { PurchasedItem } from "@/gen/serein/web/v1/shop_pb";
import { formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { GoWords } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorNote } from "@/ui/States";
import { Things } from "./Things";

const words = members.purchased;
const PERIODS: Readonly<Record<string, string>> = { month: basketCopy.monthly, year: basketCopy.yearly };

function noteOf({ size, quantity, purchasedAt }: PurchasedItem): string {
  const sized = PERIODS[size] ?? (size && basketCopy.size(size));
  const many = quantity > 1 ? members.basket.quantity(quantity) : "";
  const when = purchasedAt ? formatLongDate(timestampMs(purchasedAt)) : "";
  return [sized, many, when].filter(Boolean).join(", ");
}

const nameOf = ({ name, size, cause }: PurchasedItem): string =>
  PERIODS[size] ? (withoutCheckout(name, cause) ?? orders.membership(name)) : name;

const thingOf = (item: PurchasedItem) => ({
  id: [item.orderId, item.name, item.size].join(" "),
  name: nameOf(item),
  note: noteOf(item),
  price: formatMoney(item.price),
});

type Read = Pick<MembershipRead, "data" | "error" | "refetch">;

function Items({ data, error, refetch }: Read) {
  if (error && !data)
    return <ErrorNote message={toUserError(error).message} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.purchased.length === 0) return <p className="small muted">{words.empty}</p>;
  return <Things label={words.list} things={data.purchased.map(thingOf)} />;
}

/** What was bought, and the way to its receipts. Prices are of one piece. */
export function Purchased({ read }: { read: Read }) {
  return (
    <Panel
      title={words.title}
      action={
        <Link to={paths.orders}>
          <GoWords>{words.open}</GoWords>
        </Link>
      }
    >
      <Items {...read} />
    </Panel>
  );
}
