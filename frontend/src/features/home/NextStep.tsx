import { courses as copy } from "@/copy/courses";
import type { MyCourse } from "@/gen/serein/web/v1/courses_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Part } from "./Part";

/** The first of the member's courses that goes on: the one that they touched last. */
export const goingOn = (courses: readonly MyCourse[] | undefined): MyCourse | undefined =>
  courses?.find(({ next }) => next !== undefined);

/** The next day of a course. */
export function NextStep({ course: { card, next } }: { course: MyCourse }) {
  if (!card || !next) return null;
  return (
    <Part
      label={copy.mine.of(card.title)}
      fact={next.line || copy.startText}
      scene={card.category?.name ?? ""}
      seed={card.id}
      icon="arrow"
    >
      <Link to={paths.course(card.slug)}>{next.title}</Link>
    </Part>
  );
}
