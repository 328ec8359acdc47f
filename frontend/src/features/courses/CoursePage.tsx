import { useQuery } from "@connectrpc/connect-query";
import { courses as copy } from "@/copy/courses";
import { toUserError } from "@/data/errors";
import type { CourseCard, GetCourseResponse } from "@/gen/serein/web/v1/courses_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { useInBrowser } from "@/lib/in-browser";
import { paths } from "@/lib/paths";
import { hasPicture } from "@/lib/picture";
import { useParams } from "@/lib/router";
import { useMember } from "@/lib/session";
import { Each, field, useFill, When } from "@/lib/template";
import { within } from "@/lib/template-choice";
import { useTitle } from "@/lib/title";
import { useLaterPlayer } from "@/player/hooks";
import { useLibrarySound } from "@/player/useLibrarySound";
import { useMiniPlayer } from "@/player/useMiniPlayer";
import { Art } from "@/ui/Art";
import { ButtonLink } from "@/ui/Button";
import { Html } from "@/ui/Html";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorNote, ErrorPanel, Note } from "@/ui/States";
import css from "./CoursePage.module.css";
import { Day } from "./Day";
import { Join } from "./Join";
import { Taking } from "./Taking";
import { useCourse } from "./useCourse";

function Picture({ card }: { card: CourseCard }) {
  return (
    <div className={css.picture}>
      <Art scene={card.category?.name ?? ""} seed={card.id} w={480} h={480} className={css.art} />
      <When {...hasPicture(card.picture)}>
        <img src={card.picture?.url} alt={card.picture?.alt} loading="lazy" />
      </When>
    </div>
  );
}

function Shown({ course, card }: { course: GetCourseResponse; card: CourseCard }) {
  useTitle(card.title);
  useMiniPlayer();
  const fill = useFill();
  const member = useMember();
  // A member's own marks are not in markup that is one for all.
  const own = useInBrowser() && member !== null;
  const player = useLaterPlayer();
  const { track } = useLibrarySound(player, course.tracks);
  const taking = useCourse(card.id);
  const mayTake = member?.admin === true || member?.plan?.entitlements.includes("library") === true;
  return (
    <article className="wrap">
      <header className={css.head}>
        <div className={css.words}>
          <p className={css.facts}>
            <span>{fill(within(card.category, "name"))}</span>
            <span>{copy.days(fill(field(card, "days")))}</span>
          </p>
          <h1>{card.title}</h1>
          <Html html={course.openingHtml} className={css.opening} />
          <div className={css.acts}>
            {own ? <Taking card={card} taking={taking} mayTake={mayTake} /> : null}
          </div>
          {taking.trouble ? <ErrorNote message={taking.trouble} /> : null}
        </div>
        <Picture card={card} />
      </header>
      <section className={css.path} aria-labelledby="days">
        <h2 id="days">{copy.path}</h2>
        <ol className={css.days}>
          <Each of={course.days}>
            {(day) => (
              <Day
                key={day.id}
                day={day}
                course={card}
                next={own && day.id === course.nextDay}
                taking={own && card.taken ? taking : null}
                mayMark={mayTake}
                player={player}
                track={track}
              />
            )}
          </Each>
        </ol>
        {own && card.finished ? <Note icon="tick">{copy.end}</Note> : null}
        {own && mayTake ? null : <Join />}
        <p>
          <ButtonLink to={paths.courses}>{copy.all}</ButtonLink>
        </p>
      </section>
    </article>
  );
}

/** One course: what it is, and its days as far as the reader may have them. */
export function CoursePage() {
  const { course: slug = "" } = useParams();
  const { data, error, refetch } = useQuery(CoursesService.method.getCourse, { slug });
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data?.card) return <PageLoader label={copy.loading} />;
  return <Shown key={data.card.id} course={data} card={data.card} />;
}
