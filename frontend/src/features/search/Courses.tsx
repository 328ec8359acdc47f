import { courses as words } from "@/copy/courses";
import type { CourseCard } from "@/gen/serein/web/v1/courses_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Art } from "@/ui/Art";
import { Icon } from "@/ui/Icon";
import css from "./Results.module.css";

/** The courses that were found, above everything else: there are few. */
export function Courses({ found, onOpen }: { found: readonly CourseCard[]; onOpen: () => void }) {
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="found-courses">
      <h3 id="found-courses" className={css.heading}>
        {words.title}
      </h3>
      <ul className={css.hits}>
        {found.map((card) => (
          <li key={card.id}>
            <Link className={css.hit} to={paths.course(card.slug)} onClick={onOpen} data-stop="">
              {card.picture?.url ? (
                <img
                  className={css.print}
                  src={card.picture.url}
                  alt=""
                  width={64}
                  height={64}
                  loading="lazy"
                />
              ) : (
                <Art scene={card.category?.name ?? ""} seed={card.id} w={128} h={128} className={css.print} />
              )}
              <span className={css.words}>
                <b>{card.title}</b>
                <span>{words.days(String(card.days))}</span>
              </span>
              <Icon name="arrow" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
