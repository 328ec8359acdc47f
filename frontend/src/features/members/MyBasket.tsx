import { members } from "@/copy/members";
import type { useBasket } from "@/data/basket";
import { isMembership, nameOf, savedOn } from "@/data/basket-lines";
import { basket as basketCopy } from "@/copy/basket";
import { toUserError } from "@/data/errors";
import type { BasketLine } from "@/gen/serein/web/v1/basket_pb";
import { now } from "@/lib/clock";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { GoWords } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorNote } from "@/ui/States";
import { Things } from "./Things";

const words = members.basket;

function noteOf(line: BasketLine): string {
  const period = line.size === "year" ? basketCopy.yearly : basketCopy.monthly;
  const sized = line.size && basketCopy.size(line.size);
  const when = savedOn(line, now()) || words.waiting;
  return [isMembership(line) ? period : sized, words.quantity(line.quantity), when]
    .filter(Boolean)
    .join(", ");
}

const thingOf = (line: BasketLine) => ({
  id: line.id,
  name: nameOf(line),
  note: noteOf(line),
  price: formatMoney(line.price),
});

type Read = Pick<ReturnType<typeof useBasket>, "basket" | "error" | "refetch">;

function Lines({ basket, error, refetch }: Read) {
  if (error && !basket)
    return <ErrorNote message={toUserError(error).message} onRetry={() => void refetch()} />;
  if (!basket) return null;
  const lines = [...basket.lines, ...basket.saved];
  if (lines.length === 0) return <p className="small muted">{words.empty}</p>;
  return <Things label={words.list} things={lines.map(thingOf)} />;
}

/** What is in the basket, and what waits beside it. Prices are of one piece. */
export function MyBasket({ read }: { read: Read }) {
  return (
    <Panel
      title={words.title}
      action={
        <Link to={paths.basket}>
          <GoWords>{words.open}</GoWords>
        </Link>
      }
    >
      <Lines {...read} />
    </Panel>
  );
}
