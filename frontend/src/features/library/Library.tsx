import { library as copy } from "@/copy/library";
import { toTrouble } from "@/data/errors";
import { useMember } from "@/lib/session";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { PageHead } from "@/ui/PageHead";
import { Empty, ErrorNote, ErrorPanel, Skeleton } from "@/ui/States";
import { Bar } from "./Bar";
import { Categories } from "./Categories";
import { isFiltered, useLibraryFilters } from "./filters";
import css from "./Library.module.css";
import { Tile } from "./Tile";
import { useLibrary } from "./useLibrary";
import { useSound } from "./useSound";

type By = ReturnType<typeof useLibraryFilters>;
type Query = ReturnType<typeof useLibrary>;

function Waiting() {
  return (
    <div className={css.grid} role="status" aria-label={copy.loading}>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((i) => (
        <div className={css.skeleton} key={i}>
          <Skeleton ratio="4 / 5" round="var(--r2)" />
          <Skeleton width="70%" height="22px" />
          <Skeleton width="45%" height="14px" />
        </div>
      ))}
    </div>
  );
}

/** How many there are to see, how many still come, and for admins those that wait for them. */
function Found({ query, by }: { query: Query; by: By }) {
  const admin = useMember()?.admin === true;
  const { meditations, head } = query;
  return (
    <div className={css.found}>
      <p role="status">{meditations && head ? copy.showing(meditations.length, head.all) : ""}</p>
      {head && head.narrating > 0 ? <p>{copy.narrating(head.narrating, head.narrated)}</p> : null}
      {admin ? (
        <Switch checked={by.filters.unverified} onChange={(event) => by.setUnverified(event.target.checked)}>
          {copy.unverified}
        </Switch>
      ) : null}
    </div>
  );
}

function Nothing({ by }: { by: By }) {
  const filtered = isFiltered(by.filters);
  const { title, text } = filtered ? copy.notFound : copy.empty;
  return (
    <div className={css.blank}>
      <Empty
        as="h2"
        title={title}
        action={filtered ? <Button onClick={by.clear}>{copy.showAll}</Button> : null}
      >
        {text}
      </Empty>
    </div>
  );
}

/** The rest of what was looked for; once that is there, everything of the kind. */
function ShowAll({ query, by }: { query: Query; by: By }) {
  const { meditations, head, hasNextPage, isFetchingNextPage } = query;
  if (!meditations?.length || !head || meditations.length >= head.all) return null;
  const everything = { ...by.filters, category: "", search: "" };
  const all = () => {
    if (!hasNextPage) by.clear();
    query.showWhole(hasNextPage ? by.filters : everything);
  };
  return (
    <div className={css.more}>
      <Button pending={isFetchingNextPage} onClick={all}>
        {copy.showAll} {hasNextPage ? head.total : head.all}
      </Button>
    </div>
  );
}

/** The Meditation Library: everything that the house has recorded, by kind, category and words. */
export function Library() {
  const by = useLibraryFilters();
  const query = useLibrary(by.filters);
  const sound = useSound(query.tracks);
  useMiniPlayer();
  const { meditations, error, head } = query;
  const trouble = error && toTrouble(error);
  const retry = () => void query.refetch();
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      <Bar by={by} head={head} tracks={query.tracks} sound={sound} />
      <Categories
        categories={head?.categories ?? []}
        chosen={by.filters.category}
        onChoose={by.setCategory}
      />
      <Found query={query} by={by} />
      {query.isPending ? <Waiting /> : null}
      {trouble && !meditations ? <ErrorPanel as="h2" {...trouble} onRetry={retry} /> : null}
      {trouble && meditations ? <ErrorNote message={trouble.message} onRetry={retry} /> : null}
      {meditations?.length === 0 ? <Nothing by={by} /> : null}
      <div className={css.grid} aria-busy={query.isPlaceholderData}>
        {meditations?.map((m, i) => (
          <Tile key={m.id} m={m} track={sound.track} wide={i === 0 && !isFiltered(by.filters)} />
        ))}
      </div>
      <ShowAll query={query} by={by} />
    </div>
  );
}
