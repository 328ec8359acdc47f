import { useInfiniteQuery } from "@connectrpc/connect-query";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import { byPages } from "@/data/query";
import type { Revision } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { useTypedFilter } from "@/lib/filters";
import { Link } from "@/lib/router";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Empty, ErrorPanel, Skeleton } from "@/ui/States";
import { editorAddress } from "./place";
import { actOf, nameOf, whenOf } from "./revisions";
import css from "./Trail.module.css";

/** Something that was made or changed, and can be opened: a copy of master is no item, and what is deleted is gone. */
const canBeOpened = ({ act, contentType }: Revision): boolean =>
  act !== "delete" && contentType !== "environment";

function What({ revision: r }: { revision: Revision }) {
  const asset = r.key?.asset === true;
  const id = r.key?.id ?? "";
  return (
    <>
      {actOf(r)}: {asset ? copy.trail.asset : r.contentType}
      <small>
        {canBeOpened(r) ? (
          <Link to={editorAddress({ assets: asset, type: r.contentType, id })}>{r.title || id}</Link>
        ) : (
          r.title || id
        )}
      </small>
    </>
  );
}

function Table({ revisions }: { revisions: readonly Revision[] }) {
  return (
    <table className={css.table}>
      <caption className="sr">{copy.trail.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{copy.trail.when}</th>
          <th scope="col">{copy.trail.who}</th>
          <th scope="col">{copy.trail.what}</th>
          <th scope="col">{copy.trail.changed}</th>
        </tr>
      </thead>
      <tbody>
        {revisions.map((r) => (
          <tr key={`${r.key?.asset} ${r.key?.id} ${r.version} ${r.act}`}>
            <td className={css.when}>{whenOf(r)}</td>
            <td className={css.who}>{nameOf(r)}</td>
            <th scope="row" className={css.what}>
              <What revision={r} />
            </th>
            <td className={css.fields}>{r.changed.join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Who did what, and when: the last first. Nobody can change it. */
export default function Trail() {
  const { typed: search, type: setSearch, settled } = useTypedFilter("search");
  const query = useInfiniteQuery(
    EditorService.method.listRevisions,
    { search: settled, pageToken: "" },
    byPages,
  );
  const revisions = query.data?.pages.flatMap((page) => page.revisions);
  return (
    <>
      <div className={css.head}>
        <SearchField label={copy.trail.search} value={search} onChange={setSearch} className={css.search} />
      </div>
      {query.isPending ? (
        <div className={css.waiting} role="status" aria-label={copy.trail.loading}>
          {[1, 2, 3, 4, 5].map((i) => (
            <Skeleton key={i} height="52px" round="var(--r1)" />
          ))}
        </div>
      ) : null}
      {query.error && !revisions ? (
        <ErrorPanel as="h2" {...toUserError(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {revisions && revisions.length > 0 ? <Table revisions={revisions} /> : null}
      {revisions?.length === 0 ? (
        <Empty
          as="h2"
          title={copy.trail.empty.title}
          action={settled ? <Button onClick={() => setSearch("")}>{copy.trail.clear}</Button> : null}
        >
          {copy.trail.empty.text}
        </Empty>
      ) : null}
      {query.hasNextPage ? (
        <p className={css.more}>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {copy.trail.more}
          </Button>
        </p>
      ) : null}
      {revisions ? <p className="small muted">{copy.trail.final}</p> : null}
    </>
  );
}
