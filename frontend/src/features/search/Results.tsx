import { useId } from "react";
import { search as copy } from "@/copy/search";
import type { SearchGroup } from "@/gen/serein/web/v1/search_pb";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty, ErrorNote, Skeleton } from "@/ui/States";
import { panelProps, TabList } from "@/ui/TabList";
import { Courses } from "./Courses";
import { Hit } from "./Hit";
import css from "./Results.module.css";
import type { Asked, Find } from "./useFind";
import { useMore } from "./useFind";

/** Rows of the size of what will be found. */
export function Looking() {
  return (
    <div role="status" aria-label={copy.loading}>
      {[1, 2, 3, 4].map((i) => (
        <div key={i} className={css.hit}>
          <Skeleton width="64px" height="64px" round="10px" />
          <div className={css.skeleton}>
            <Skeleton width="55%" height="20px" />
            <Skeleton width="80%" height="14px" />
          </div>
        </div>
      ))}
    </div>
  );
}

export function Nothing({ make = false }: { make?: boolean }) {
  const action = make ? <ButtonLink to={paths.generator}>{copy.none.make}</ButtonLink> : null;
  return (
    <Empty title={copy.none.title} action={action}>
      {copy.none.text}
    </Empty>
  );
}

interface OpenProps {
  under: string;
  onOpen: () => void;
}

function Matches({ asked, group, find, ...open }: OpenProps & ListProps) {
  const more = useMore(asked, group, find);
  return (
    <>
      <ul className={css.hits}>
        {more.matches.map((match) => (
          <li key={match.item?.id}>
            <Hit match={match} {...open} />
          </li>
        ))}
      </ul>
      {more.trouble ? <ErrorNote message={more.trouble.message} onRetry={more.retry} /> : null}
      {more.hasMore && !more.trouble && find.settled ? (
        <p className={css.more}>
          <Button small pending={more.isFetching} onClick={more.next}>
            {copy.more}
          </Button>
        </p>
      ) : null}
    </>
  );
}

interface ListProps {
  asked: Asked;
  group: SearchGroup;
  find: Find;
}

interface ResultsProps extends OpenProps {
  asked: Asked;
  find: Find;
  /** The tab that was chosen; any other word: the first that holds something. */
  tab: string;
  onTab: (id: string) => void;
}

/** What was found: a tab a kind. */
export function Results({ asked, find, tab, onTab, ...open }: ResultsProps) {
  const base = useId();
  const { groups, courses, settled } = find;
  const shown = groups.find(({ id }) => id === tab) ?? groups.find(({ total }) => total > 0) ?? groups[0];
  if (!shown) return null;
  const { id, group, total } = shown;
  const tabs = groups.map((one) => ({
    id: one.id,
    label: copy.kinds[one.id],
    count: copy.count(one.total),
  }));
  const found = <Courses found={courses} onOpen={open.onOpen} />;
  if (groups.every((one) => one.total === 0)) return found;
  return (
    <>
      {found}
      <TabList
        base={base}
        label={copy.tabs}
        tabs={tabs}
        selected={id}
        onSelect={onTab}
        className={css.tabs}
      />
      <div role="tabpanel" {...panelProps(base, id)} className={css.panel} aria-busy={!settled}>
        {group && total > 0 ? (
          <Matches key={JSON.stringify([id, asked])} asked={asked} group={group} find={find} {...open} />
        ) : (
          <Nothing />
        )}
      </div>
    </>
  );
}
