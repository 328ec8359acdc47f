import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import { byPages } from "@/data/query";
import type { ContentType, Item } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { now } from "@/lib/clock";
import { useTypedFilter } from "@/lib/filters";
import { dayAndTime } from "@/lib/format";
import { Link, useNavigate } from "@/lib/router";
import { Badge } from "@/ui/Badge";
import { Button, ButtonLink } from "@/ui/Button";
import { Select } from "@/ui/Field";
import { Icon } from "@/ui/Icon";
import { SearchField } from "@/ui/SearchField";
import { Empty, ErrorPanel, Skeleton } from "@/ui/States";
import { stateOf } from "./fields";
import css from "./Items.module.css";
import { editorAddress } from "./place";

const ASSETS = " assets";

/** Entries of a type, or the assets, the last changed first. */
export function useItems(type: string, search: string) {
  const query = useInfiniteQuery(
    EditorService.method.listItems,
    { contentType: type, search, pageToken: "" },
    byPages,
  );
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) };
}

function Row({ item, to }: { item: Item; to: string }) {
  return (
    <li className={css.row}>
      <Link to={to} className={css.title}>
        {item.title || copy.untitled}
      </Link>
      <Badge>{copy.states[stateOf(item)]}</Badge>
      <span className="caption quiet tnum">
        {item.updatedAt ? copy.changedAt(dayAndTime(timestampMs(item.updatedAt), now())) : ""}
      </span>
    </li>
  );
}

interface ItemsProps {
  types: readonly ContentType[];
  /** Absent: pictures and sounds. */
  type: ContentType | undefined;
}

function Head({
  types,
  type,
  search,
  onSearch,
}: ItemsProps & { search: string; onSearch: (s: string) => void }) {
  const navigate = useNavigate();
  const choose = (id: string) => navigate(editorAddress(id === ASSETS ? { assets: true } : { type: id }));
  const make = type ? { type: type.id, fresh: true } : { assets: true, fresh: true };
  return (
    <div className={css.head}>
      <Select label={copy.what} value={type?.id ?? ASSETS} onChange={(event) => choose(event.target.value)}>
        {types.map((t) => (
          <option key={t.id} value={t.id}>
            {copy.counted(t.name, t.items)}
          </option>
        ))}
        <option value={ASSETS}>{copy.assets}</option>
      </Select>
      <SearchField label={copy.search} value={search} onChange={onSearch} />
      <ButtonLink small to={editorAddress(make)}>
        <Icon name="plus" />
        {type ? copy.make : copy.upload}
      </ButtonLink>
    </div>
  );
}

export function Items({ types, type }: ItemsProps) {
  const { typed: search, type: setSearch, settled } = useTypedFilter("search");
  const query = useItems(type?.id ?? "", settled);
  const { items } = query;
  const address = (id: string) => editorAddress({ type: type?.id ?? "", assets: !type, id });
  return (
    <>
      <Head types={types} type={type} search={search} onSearch={setSearch} />
      {query.isPending ? (
        <div className={css.waiting} role="status" aria-label={copy.loading}>
          {[1, 2, 3, 4].map((i) => (
            <Skeleton key={i} height="56px" round="var(--r1)" />
          ))}
        </div>
      ) : null}
      {query.error && !items ? (
        <ErrorPanel as="h2" {...toUserError(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {items?.length === 0 ? (
        <Empty
          as="h2"
          title={settled ? copy.none.title : copy.nothing.title}
          action={settled ? <Button onClick={() => setSearch("")}>{copy.none.clear}</Button> : null}
        >
          {settled ? copy.none.text : copy.nothing.text}
        </Empty>
      ) : null}
      <ul className={css.list}>
        {items?.map((item) => (
          <Row key={item.id} item={item} to={address(item.id)} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {copy.more}
        </Button>
      ) : null}
    </>
  );
}
