import { articles as copy } from "@/copy/articles";
import { pages } from "@/copy/pages";
import { toUserError } from "@/data/errors";
import { useLike } from "@/data/items";
import type { ListArticlesResponse } from "@/gen/serein/web/v1/articles_pb";
import type { ArticleCard as Card } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { formatCount } from "@/lib/format";
import { useFilters, useTypedFilter } from "@/lib/filters";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Each, field, has, made, none, some, useFill, When } from "@/lib/template";
import { useTitle } from "@/lib/title";
import { ArticleCard } from "@/ui/ArticleCard";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { PageHead } from "@/ui/PageHead";
import { Empty, ErrorPanel, Skeleton } from "@/ui/States";
import { TextButton } from "@/ui/TextButton";
import css from "./ArticlesPage.module.css";
import { Ask } from "./Ask";
import { Filters } from "./Filters";
import { useArticles } from "./useArticles";

function Waiting() {
  return (
    <div className={css.stories} role="status" aria-label={copy.loading}>
      {[1, 2, 3].map((i) => (
        <div className={css.skeleton} key={i}>
          <Skeleton ratio="3 / 2" round="var(--r2)" />
          <Skeleton width="70%" height="22px" />
          <Skeleton width="90%" height="44px" />
        </div>
      ))}
    </div>
  );
}

interface FoundProps {
  head: ListArticlesResponse;
  /** Something is searched for: the service counts to 1,000 then. */
  searched: boolean;
  filtered: boolean;
  onClear: () => void;
}

/** How many there are, and the way back to all of them. */
function Found({ head, searched, filtered, onClear }: FoundProps) {
  const fill = useFill();
  const many = searched && head.total >= 1000 ? copy.manyOrMore : copy.many;
  return (
    <div className={css.found}>
      <span role="status">{fill(made(formatCount, field(head, "total"), copy.one, many))}</span>
      {filtered ? <TextButton onClick={onClear}>{copy.clear}</TextButton> : null}
    </div>
  );
}

/** An article of the list, with the member's heart. */
function Story({ card }: { card: Card }) {
  const like = useLike({ kind: ItemKind.ARTICLE, id: card.id }, card.standing);
  return <ArticleCard card={card} as="h2" like={like} className={css.story} />;
}

/** The list of articles: for everybody, the whole texts for members. */
export function ArticlesPage() {
  const member = useMember();
  const { get, set } = useFilters();
  const { typed, type, settled: search } = useTypedFilter("search");
  const category = get("category");
  const { articles, categories, head, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useArticles(category, search);
  const clear = () => {
    type("");
    set({ category: "", search: "" });
  };
  const filtered = category !== "" || search !== "";
  const { name } = categories.find(({ id }) => id === category) ?? {};
  useTitle(name ? `${name} · ${pages.articles}` : pages.articles);
  return (
    <div className="wrap">
      <PageHead title={pages.articles} lead={copy.lead}>
        <p>
          <Link to={paths.courses}>{copy.courses}</Link>
        </p>
      </PageHead>
      <Filters
        categories={categories}
        category={category}
        search={typed}
        onCategory={(id) => set({ category: id })}
        onSearch={type}
      />
      {head ? <Found head={head} searched={search !== ""} filtered={filtered} onClear={clear} /> : null}
      {error && !articles ? (
        <ErrorPanel as="h2" {...toUserError(error)} onRetry={() => void refetch()} />
      ) : null}
      {!articles && !error ? <Waiting /> : null}
      <When {...none(articles)}>
        <Empty as="h2" title={copy.none} action={<Button onClick={clear}>{copy.clear}</Button>} />
      </When>
      <When {...some(articles)}>
        <div className={classes(css.stories, !filtered && css.led)}>
          <Each of={articles ?? []}>{(card) => <Story key={card.id} card={card} />}</Each>
        </div>
      </When>
      <When {...has(head, "nextPageToken")} is={hasNextPage}>
        <div className={css.more}>
          <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {copy.more}
          </Button>
        </div>
      </When>
      {member ? null : (
        <div className={css.ask} data-visitor="">
          <Ask />
        </div>
      )}
    </div>
  );
}
