import { useQuery } from "@connectrpc/connect-query";
import { courses as copy } from "@/copy/courses";
import type { MyCourse } from "@/gen/serein/web/v1/courses_pb";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Art } from "@/ui/Art";
import css from "./Courses.module.css";

function Course({ course: { card, next } }: { course: MyCourse }) {
  if (!card) return null;
  return (
    <li className={css.course}>
      <Art scene={card.category?.name ?? ""} seed={card.id} w={160} h={160} className={css.art} />
      <div>
        <h3 className={css.title}>
          <Link to={paths.course(card.slug)}>{card.title}</Link>
        </h3>
        <p className="small muted">{next ? copy.mine.next(next.title) : copy.finished}</p>
      </div>
    </li>
  );
}

/** The courses that the member takes, each with its next day; nothing for who takes none, and while they cannot be asked for. */
export default function Courses() {
  const { data } = useQuery(CoursesService.method.listMyCourses, {});
  if (!data?.courses.length) return null;
  return (
    <section className="wrap" aria-labelledby="journey-courses">
      <h2 id="journey-courses" className={css.head}>
        {copy.mine.title}
      </h2>
      <ul className={css.courses}>
        {data.courses.map((course) => (
          <Course key={course.card?.id} course={course} />
        ))}
      </ul>
    </section>
  );
}
