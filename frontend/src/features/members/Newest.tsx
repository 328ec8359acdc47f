import { useQuery } from "@connectrpc/connect-query";
import { ledger } from "@/copy/ledger";
import { toUserError } from "@/data/errors";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { GoWords } from "@/ui/Button";
import { ErrorNote, Skeleton } from "@/ui/States";
import css from "./Balance.module.css";
import { LedgerTable } from "./LedgerTable";

/** How many of the newest entries stand in the Members Area. */
const MOST = 6;

export const useNewest = () => useQuery(MembershipService.method.listLedger, { pageToken: "" });

export type Newest = ReturnType<typeof useNewest>;

/** The newest entries, and the way to all of them. */
export function NewestEntries({ newest: { data, error, refetch } }: { newest: Newest }) {
  if (error && !data)
    return <ErrorNote message={toUserError(error).message} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="88px" />;
  if (data.rows.length === 0) return <p className="small muted">{ledger.none}</p>;
  return (
    <>
      <LedgerTable caption={ledger.newest} rows={data.rows.slice(0, MOST)} />
      <p className={css.every}>
        <Link to={paths.ledger}>
          <GoWords>{ledger.every}</GoWords>
        </Link>
      </p>
    </>
  );
}
