import { useQuery } from "@connectrpc/connect-query";
import { Suspense } from "react";
import { articles as copy } from "@/copy/articles";
import { items } from "@/copy/items";
import { toUserError } from "@/data/errors";
import { useLike, useSave } from "@/data/items";
import type { GetArticleResponse } from "@/gen/serein/web/v1/articles_pb";
import { ArticlesService } from "@/gen/serein/web/v1/articles_pb";
import type { ArticleCard } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { minutesOf } from "@/lib/format";
import { paths } from "@/lib/paths";
import { preloadable } from "@/lib/preloadable";
import { Navigate, useLocation, useParams } from "@/lib/router";
import { useMember } from "@/lib/session";
import { and, field, has, made, not, ofFirst, or, useFill, When } from "@/lib/template";
import { useTitle } from "@/lib/title";
import { ArticlePicture } from "@/ui/ArticleCard";
import { ButtonLink } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Html } from "@/ui/Html";
import { LikeButton, SaveButton } from "@/ui/ItemButtons";
import { PageLoader } from "@/ui/PageLoader";
import { QuickExit } from "@/ui/QuickExit";
import { ErrorPanel, Note } from "@/ui/States";
import { toast } from "@/ui/toast/store";
import css from "./ArticlePage.module.css";
import { Ask } from "./Ask";
import { namesHelpline, publishedDate, publishedDay } from "./facts";
import { Listen } from "./Listen";
import { Share } from "./Share";

const CourseStep = preloadable(() => import("./CourseStep"));

/** For a member who came from a course: the address names it. */
function Step({ article }: { article: string }) {
  const slug = new URLSearchParams(useLocation().search).get("course");
  if (!useMember() || !slug) return null;
  return (
    <Suspense fallback={null}>
      <CourseStep slug={slug} article={article} />
    </Suspense>
  );
}

/** "Anxiety Relief", "7 min read", "3 November". */
function Facts({ card }: { card: ArticleCard }) {
  const fill = useFill();
  const at = field(card, "publishedAt");
  return (
    <p className={css.facts}>
      <span>{fill(ofFirst(card.categories, "name"))}</span>
      <span>{items.minutesRead(fill(made(minutesOf, field(card, "words"))))}</span>
      <time dateTime={fill(made(publishedDate, at))}>{fill(made(publishedDay, at))}</time>
    </p>
  );
}

function Head({ card }: { card: ArticleCard }) {
  const item = { kind: ItemKind.ARTICLE, id: card.id };
  const like = useLike(item, card.standing);
  const save = useSave(item, card.standing);
  const keep = async () => {
    const removes = save.on;
    if ((await save.press()) && removes) toast(items.removed);
  };
  return (
    <header className={css.head}>
      <div className={css.words}>
        <Facts card={card} />
        <h1>{card.title}</h1>
        <p className="lead">{card.description}</p>
        <div className={css.acts}>
          <SaveButton save={save} onPress={() => void keep()} />
          <LikeButton like={like} />
        </div>
      </div>
      <ArticlePicture card={card} className={css.picture} />
    </header>
  );
}

function Shown({ article, card }: { article: GetArticleResponse; card: ArticleCard }) {
  useTitle(card.title);
  const sound = has(article, "audioUrl");
  const whole = has(article, "whole");
  const helpline = or(
    made(namesHelpline, field(article, "openingHtml")),
    made(namesHelpline, field(article, "restHtml")),
  );
  return (
    <article className="wrap">
      <Head card={card} />
      <div className={css.body}>
        <When {...sound}>
          <Listen card={card} url={article.audioUrl} narrator={article.narratorName} />
        </When>
        <When {...and(whole, not(sound))}>
          <Note icon="headphones">{copy.listen.soon}</Note>
        </When>
        <When {...helpline}>
          <QuickExit />
        </When>
        <Html html={article.openingHtml} className={classes(css.text, css.opening)} />
        <When {...whole}>
          <Html id="rest" html={article.restHtml} className={css.text} />
        </When>
        <When {...not(whole)}>
          <div id="rest">
            <Ask />
          </div>
        </When>
        <Step article={card.id} />
        <Share slug={card.slug} title={card.title} />
        <p className={css.all}>
          <ButtonLink to={paths.articles}>{copy.all}</ButtonLink>
        </p>
      </div>
    </article>
  );
}

/** One article, as far as its reader may read it. */
export function ArticlePage() {
  const { slug = "" } = useParams();
  const { data, error, refetch } = useQuery(ArticlesService.method.getArticle, { slug });
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data?.card) return <PageLoader label={copy.loading} />;
  // A former title: the gateway leads on by itself, this is for links inside the app.
  if (data.card.slug !== slug) return <Navigate to={paths.article(data.card.slug)} replace />;
  return <Shown key={data.card.id} article={data} card={data.card} />;
}
