import { useQuery } from "@connectrpc/connect-query";
import { courses as copy } from "@/copy/courses";
import { toUserError } from "@/data/errors";
import type { CourseCard } from "@/gen/serein/web/v1/courses_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { useInBrowser } from "@/lib/in-browser";
import { paths } from "@/lib/paths";
import { hasPicture } from "@/lib/picture";
import { Each, field, none, some, useFill, When } from "@/lib/template";
import { within } from "@/lib/template-choice";
import { Card } from "@/ui/Card";
import { PageHead } from "@/ui/PageHead";
import { CardShape, Empty, ErrorPanel } from "@/ui/States";
import css from "./CoursesPage.module.css";

/** What a member has to do with a course; nothing in markup that is one for all. */
function tagOf({ taken, finished }: CourseCard): string {
  if (!taken) return "";
  return finished ? copy.finished : copy.taken;
}

function Course({ card, own }: { card: CourseCard; own: boolean }) {
  const fill = useFill();
  return (
    <div className={css.course}>
      <Card
        as="h2"
        to={paths.course(card.slug)}
        title={card.title}
        picture={
          <When {...hasPicture(card.picture)}>
            <img src={card.picture?.url} alt={card.picture?.alt} loading="lazy" />
          </When>
        }
        scene={card.category?.name ?? ""}
        seed={card.id}
        tag={own ? tagOf(card) : ""}
        facts={[copy.days(fill(field(card, "days"))), fill(within(card.category, "name"))]}
      />
      <p className="small muted">{card.description}</p>
    </div>
  );
}

function Waiting() {
  return (
    <div className={css.courses} role="status" aria-label={copy.loading}>
      {[1, 2, 3].map((i) => (
        <CardShape key={i} />
      ))}
    </div>
  );
}

/** All courses, for everybody. */
export function CoursesPage() {
  const { data, error, refetch } = useQuery(CoursesService.method.listCourses, {});
  const own = useInBrowser();
  const courses = data?.courses;
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      {error && !courses ? (
        <ErrorPanel as="h2" {...toUserError(error)} onRetry={() => void refetch()} />
      ) : null}
      {!courses && !error ? <Waiting /> : null}
      <When {...none(courses)}>
        <Empty as="h2" title={copy.none} />
      </When>
      <When {...some(courses)}>
        <div className={css.courses}>
          <Each of={courses ?? []}>{(card) => <Course key={card.id} card={card} own={own} />}</Each>
        </div>
      </When>
    </div>
  );
}
