import { home as copy } from "@/copy/home";
import { toUserError } from "@/data/errors";
import type { GetHomeResponse, HomeItem } from "@/gen/serein/web/v1/pages_pb";
import { listeningOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { Each, field, has, made, useFill, When } from "@/lib/template";
import { ArticleCard } from "@/ui/ArticleCard";
import { GoWords } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Link } from "@/lib/router";
import { Loader } from "@/ui/Marks";
import { Card } from "@/ui/Card";
import { ErrorPanel } from "@/ui/States";
import css from "./Begin.module.css";

interface ItemProps {
  item: HomeItem;
  /** What it is heard with, by its place: an answer decides nothing here. */
  kind: string;
  className?: string | undefined;
}

/** A meditation of the library. It is heard there, by those whose plan has it. */
function Item({ item, kind, className }: ItemProps) {
  const fill = useFill();
  const hasLibrary = useMember()?.plan?.entitlements.includes("library") === true;
  const { meditation } = item;
  const minutes = fill(made(listeningOf, field(meditation, "audioSeconds", 0)));
  return (
    <Card
      className={className}
      {...(hasLibrary && { to: paths.library })}
      title={item.title}
      scene={meditation?.category?.name ?? ""}
      seed={meditation?.id ?? item.title}
      facts={[kind, meditation?.category?.name]}
      length={copy.begin.minutes(minutes)}
      heard={has(meditation, "audioSeconds")}
    />
  );
}

/** Two immersive meditations, another, and two articles: all at once, or nothing yet. */
function Parts({ home }: { home: GetHomeResponse }) {
  return (
    <div className={css.grid}>
      <Each of={home.immersive}>
        {(item) => <Item key={item.title} item={item} kind={copy.begin.immersive} className={css.part} />}
      </Each>
      <When {...has(home, "voice")}>
        {home.voice ? <Item item={home.voice} kind={copy.begin.voice} className={css.part} /> : null}
      </When>
      <div className={classes(css.part, css.articles)}>
        <Each of={home.articles}>{(card) => <ArticleCard key={card.id} card={card} small />}</Each>
      </div>
    </div>
  );
}

interface BeginProps {
  home: GetHomeResponse | undefined;
  error: unknown;
  onRetry: () => void;
}

/** Where one may begin. */
export function Begin({ home, error, onRetry }: BeginProps) {
  return (
    <section className={classes("wrap", css.begin)} id="begin" aria-labelledby="begin-title">
      <div className={css.head}>
        <h2 id="begin-title">{copy.begin.title}</h2>
        <Link className={css.all} to={paths.articles}>
          <GoWords>{copy.begin.all}</GoWords>
        </Link>
      </div>
      {home ? <Parts home={home} /> : null}
      {!home && error ? <ErrorPanel {...toUserError(error)} onRetry={onRetry} /> : null}
      {!home && !error ? (
        <div className={css.waiting}>
          <Loader label={copy.begin.loading} />
        </div>
      ) : null}
    </section>
  );
}
