import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { ledger as words } from "@/copy/ledger";
import type { LedgerRow } from "@/gen/serein/web/v1/membership_pb";
import { LedgerPool } from "@/gen/serein/web/v1/membership_pb";
import { now } from "@/lib/clock";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { classes } from "@/ui/classes";
import { entryDate } from "./entry-date";
import css from "./LedgerTable.module.css";

const POOLS: Partial<Record<LedgerPool, string>> = {
  [LedgerPool.PLAN]: words.pools.plan,
  [LedgerPool.TOP_UP]: words.pools.topUp,
  [LedgerPool.BOTH]: words.pools.both,
};

/** "+18", "−2", "0", and "2 held". */
function changeOf({ change, held }: LedgerRow): string {
  if (held > 0n) return words.held(formatNumber(Number(held)));
  const many = formatNumber(Math.abs(Number(change)));
  if (change === 0n) return many;
  return (change > 0n ? "+" : "−") + many;
}

function lookOf({ change, held }: LedgerRow): string | undefined {
  if (held > 0n) return css.held;
  return change > 0n ? css.in : undefined;
}

function When({ time }: Pick<LedgerRow, "time">) {
  return time ? (
    <time dateTime={timestampDate(time).toISOString()}>{entryDate(timestampMs(time), now())}</time>
  ) : null;
}

function Row({ row, pools }: { row: LedgerRow; pools: boolean }) {
  const pool = POOLS[row.pool] ?? "";
  return (
    <tr>
      <td className={css.when}>
        <When time={row.time} />
      </td>
      <th scope="row">
        {row.meditationId ? <Link to={paths.meditation(row.meditationId)}>{row.title}</Link> : row.title}
        {row.detail ? <small>{row.detail}</small> : null}
      </th>
      {pools ? <td className={css.pool}>{pool}</td> : null}
      <td className={classes(css.change, lookOf(row))}>{changeOf(row)}</td>
      <td className={css.balance}>{formatNumber(Number(row.balance))}</td>
    </tr>
  );
}

interface LedgerTableProps {
  caption: string;
  rows: readonly LedgerRow[];
  /** Shows each entry's credit pool in a separate column. */
  pools?: boolean;
}

/** Entries of the credits. On a phone a row is what, change and balance, with the day below. */
export function LedgerTable({ caption, rows, pools = false }: LedgerTableProps) {
  return (
    <table className={css.ledger}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.when}</th>
          <th scope="col">{words.what}</th>
          {pools ? (
            <th scope="col" className={css.pool}>
              {words.pool}
            </th>
          ) : null}
          <th scope="col" className={css.change}>
            {words.credits}
          </th>
          <th scope="col" className={css.balance}>
            {words.balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} pools={pools} />
        ))}
      </tbody>
    </table>
  );
}
