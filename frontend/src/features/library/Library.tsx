import { useDeferredValue } from "react";
import { library as copy } from "@/copy/library";
import { toUserError } from "@/data/errors";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import { useInBrowser } from "@/lib/in-browser";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { and, Each, field, has, none, size, some, useFill, When } from "@/lib/template";
import { either, less } from "@/lib/template-choice";
import { useHeard, useHeldRecorded, useLaterPlayer } from "@/player/hooks";
import { OverTile } from "@/player/OverPicture";
import { playerId, pressRecorded, recordedOf } from "@/player/of-library";
import type { Player } from "@/player/player";
import { useLibrarySound } from "@/player/useLibrarySound";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { Button } from "@/ui/Button";
import { Switch } from "@/ui/Choice";
import { MeditationTile } from "@/ui/MeditationTile";
import { PageHead } from "@/ui/PageHead";
import { Empty, ErrorNote, ErrorPanel, CardShape } from "@/ui/States";
import { Acts, Awaited } from "./Acts";
import { Bar } from "./Bar";
import { Categories } from "./Categories";
import { isFiltered, useLibraryFilters } from "./filters";
import css from "./Library.module.css";
import { useLibrary } from "./useLibrary";

type By = ReturnType<typeof useLibraryFilters>;
type Query = ReturnType<typeof useLibrary>;

interface TilesProps {
  query: Query;
  by: By;
  sound: ReturnType<typeof useLibrarySound>;
  player: Player | null;
}

function Waiting() {
  return (
    <div className={css.grid} role="status" aria-label={copy.loading}>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((i) => (
        <CardShape key={i} />
      ))}
    </div>
  );
}

/** How many there are to see, how many still come, and for admins those that wait for them. */
function Found({ query, by }: { query: Query; by: By }) {
  const admin = useMember()?.admin === true;
  const fill = useFill();
  const { meditations, head } = query;
  return (
    <div className={css.found}>
      <p role="status">
        {meditations && head ? copy.showing(fill(size(meditations)), fill(field(head, "all"))) : ""}
      </p>
      {head ? (
        <When {...has(head, "narrating")}>
          <p>{copy.narrating(fill(field(head, "narrating")), fill(field(head, "narrated")))}</p>
        </When>
      ) : null}
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
  const fill = useFill();
  if (!meditations || !head) return null;
  const everything = { ...by.filters, category: "", search: "" };
  const all = () => {
    if (!hasNextPage) by.clear();
    query.showWhole(hasNextPage ? by.filters : everything);
  };
  const more = { ...has(head, "nextPageToken"), is: hasNextPage };
  const how = fill(either(more, field(head, "total"), field(head, "all")));
  return (
    <When {...and(some(meditations), less(size(meditations), field(head, "all")))}>
      <div className={css.more}>
        <Button pending={isFetchingNextPage} onClick={all}>
          {copy.showAll} {how}
        </Button>
      </div>
    </When>
  );
}

/** What was found. The first tile is as wide as two while nothing is looked for. */
function Tiles({ query, by, sound, player }: TilesProps) {
  const heard = useHeard(player);
  const held = useHeldRecorded(player);
  // The hearts and bookmarks of the member are not in markup that is one for all; two a tile, they come between other work.
  const own = useDeferredValue(useInBrowser() && query.own);
  const meditations = query.meditations ?? [];
  const tile = (m: MeditationCard, wide = false) => (
    <MeditationTile
      key={m.id}
      m={m}
      wide={wide}
      playing={heard === playerId(m)}
      onPress={() => pressRecorded(player, recordedOf(m, sound.track))}
      over={held === playerId(m) ? <OverTile m={m} /> : null}
      actions={own ? <Acts m={m} track={sound.track} /> : Awaited}
    />
  );
  return (
    <When {...some(meditations)}>
      <div className={css.grid} aria-busy={query.isPlaceholderData}>
        <Each of={meditations} to={1}>
          {(m) => tile(m, !isFiltered(by.filters))}
        </Each>
        <Each of={meditations} from={1}>
          {(m) => tile(m)}
        </Each>
      </div>
    </When>
  );
}

/** The Meditation Library: all of Serein's recordings, filtered by kind, category and words. */
export function Library() {
  const by = useLibraryFilters();
  const query = useLibrary(by.filters);
  const player = useLaterPlayer();
  const sound = useLibrarySound(player, query.tracks);
  useMiniPlayer();
  const { meditations, error, head } = query;
  const trouble = error && toUserError(error);
  const retry = () => void query.refetch();
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead}>
        <p>
          <Link to={paths.courses}>{copy.courses}</Link>
        </p>
      </PageHead>
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
      <When {...none(meditations)}>
        <Nothing by={by} />
      </When>
      <Tiles query={query} by={by} sound={sound} player={player} />
      <ShowAll query={query} by={by} />
    </div>
  );
}
