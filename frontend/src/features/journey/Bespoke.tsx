import { Link } from "@/lib/router";
import { journey as copy } from "@/copy/journey";
import { toTrouble } from "@/data/errors";
import type { Meditation } from "@/gen/serein/web/v1/generator_pb";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { Empty, ErrorPanel, Skeleton } from "@/ui/States";
import css from "./Bespoke.module.css";
import { BespokePlate } from "./BespokePlate";
import { filtered } from "./model";
import type { useBespoke } from "./useBespoke";

function MakeTile() {
  const [first, second] = copy.makeTile;
  return (
    <Link className={css.make} to={paths.generator}>
      <Icon name="plus" />
      <span>
        {first}
        <br />
        {second}
      </span>
    </Link>
  );
}

function Waiting() {
  return (
    <div className={classes(css.grid, css.waiting)} role="status" aria-label={copy.loading}>
      {[1, 2, 3, 4].map((i) => (
        <div className={css.skeleton} key={i}>
          <Skeleton ratio="4 / 5" round="var(--r2)" />
          <Skeleton width="70%" height="22px" />
          <Skeleton width="45%" height="14px" />
        </div>
      ))}
    </div>
  );
}

function NothingYet() {
  const action = (
    <ButtonLink look="primary" to={paths.generator}>
      {copy.make}
    </ButtonLink>
  );
  return (
    <div className={css.blank}>
      <Empty title={copy.empty.title} action={action}>
        {copy.empty.text}
      </Empty>
    </div>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className={css.blank}>
      <Empty title={copy.none.title} action={<Button onClick={onClear}>{copy.none.action}</Button>}>
        {copy.none.text}
      </Empty>
    </div>
  );
}

function List({ items, searching }: { items: readonly Meditation[]; searching: boolean }) {
  return (
    <div className={css.grid}>
      {items.map((m) => (
        <BespokePlate key={m.id} m={m} />
      ))}
      {searching ? null : <MakeTile />}
    </div>
  );
}

interface BespokeProps {
  query: ReturnType<typeof useBespoke>;
  search: string;
  onClear: () => void;
}

/** The bespoke meditations, in whichever state they are. */
export function Bespoke({ query, search, onClear }: BespokeProps) {
  const { meditations, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const shown = filtered(meditations ?? [], search);
  const searching = search.trim() !== "";
  return (
    <>
      <div className={css.head}>
        <h2>{copy.bespoke}</h2>
        <p className="small muted" role="status">
          {searching && meditations ? copy.found(shown.length, meditations.length) : ""}
        </p>
      </div>
      {isPending ? <Waiting /> : null}
      {error && !meditations ? (
        <ErrorPanel {...toTrouble(error)} onRetry={() => void query.refetch()} />
      ) : null}
      {meditations?.length === 0 ? <NothingYet /> : null}
      {meditations && meditations.length > 0 && shown.length === 0 && !hasNextPage ? (
        <NothingFound onClear={onClear} />
      ) : null}
      {shown.length > 0 ? <List items={shown} searching={searching} /> : null}
      {hasNextPage ? (
        <div className={css.more}>
          <Button pending={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {copy.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}
