import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { memberships } from "@/copy/memberships";
import type { TopUp } from "@/gen/serein/web/v1/shop_pb";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { openTopUp } from "@/lib/top-up";
import { Button } from "@/ui/Button";
import css from "./Packs.module.css";

const copy = memberships.packs;

/** As many rows stand there until the packs have come. */
const USUAL = [1, 2, 3, 4, 5];

function Row({ pack }: { pack: TopUp }) {
  return (
    <tr>
      <th scope="row">
        <b>{formatNumber(Number(pack.credits))}</b> {copy.credits}
      </th>
      <td>{pack.saving > 0 ? copy.saved(pack.saving) : ""}</td>
      <td>{formatMoney(pack.price)}</td>
    </tr>
  );
}

function Waiting() {
  return (
    <div className={css.table} aria-hidden="true">
      {USUAL.map((i) => (
        <div className={css.waiting} key={i}>
          <span />
        </div>
      ))}
    </div>
  );
}

/** What more credits cost, and the way to them. */
export function Packs() {
  const { data, error } = useQuery(ShopService.method.getTopUps, {}, { placeholderData: keepPreviousData });
  if (error && !data) return null;
  return (
    <section className={css.packs} aria-labelledby="packs">
      <div>
        <h2 id="packs">{copy.title}</h2>
        <p>{copy.text}</p>
        <Button small onClick={openTopUp}>
          {copy.open}
        </Button>
      </div>
      {data ? (
        <table className={css.table}>
          <caption className="sr">{copy.caption}</caption>
          <tbody>
            {data.topUps.map((pack) => (
              <Row key={pack.id} pack={pack} />
            ))}
          </tbody>
        </table>
      ) : (
        <Waiting />
      )}
    </section>
  );
}
