import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import { byPages } from "@/data/query";
import type { Revision } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { Button } from "@/ui/Button";
import { ErrorNote } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import { actOf, nameOf, whenOf } from "./revisions";
import { Confirm } from "./Steps";
import type { ItemKey, OpenItem } from "./useItem";
import css from "./Versions.module.css";

function Row({
  revision: r,
  open,
  onRestore,
}: {
  revision: Revision;
  open: OpenItem;
  onRestore: () => void;
}) {
  const present = r.version === open.item.version;
  return (
    <li className={css.row}>
      <p>
        {copy.version(r.version)} {present ? <span className="quiet">({copy.present})</span> : null}
      </p>
      <p className="caption quiet">
        {actOf(r)}, {nameOf(r)}, {whenOf(r)}
      </p>
      {present || r.act === "delete" ? null : (
        <TextButton
          className={css.restore}
          aria-label={copy.restoreOf(r.version)}
          unavailable={open.dirty || open.pending || open.item.archived}
          onClick={onRestore}
        >
          {copy.restore}
        </TextButton>
      )}
    </li>
  );
}

/** What the item was before, the last first. */
export function Versions({ itemKey, open }: { itemKey: ItemKey; open: OpenItem }) {
  const [asked, ask] = useState(0);
  const query = useInfiniteQuery(
    EditorService.method.listRevisions,
    { key: itemKey, pageToken: "", pageSize: 20 },
    byPages,
  );
  const revisions = query.data?.pages.flatMap((page) => page.revisions);
  return (
    <section aria-labelledby="versions">
      <h3 id="versions" className={css.title}>
        {copy.versions}
      </h3>
      {query.error && !revisions ? (
        <ErrorNote message={toUserError(query.error).message} onRetry={() => void query.refetch()} />
      ) : null}
      <ul className={css.list}>
        {revisions?.map((r) => (
          <Row key={r.version} revision={r} open={open} onRestore={() => ask(r.version)} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button small pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {copy.more}
        </Button>
      ) : null}
      {asked ? (
        <Confirm
          title={copy.restoreTitle(asked)}
          text={copy.restoreText}
          act={copy.restore}
          onClose={() => ask(0)}
          onAct={() => {
            ask(0);
            void open.restore(asked);
          }}
        />
      ) : null}
    </section>
  );
}
