import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useRef, useState } from "react";
import { courses as copy } from "@/copy/courses";
import { MARK_DAY, UNMARK_DAY } from "@/data/courses";
import { useWrite } from "@/data/mutation";
import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { ErrorNote } from "@/ui/States";
import css from "./CourseStep.module.css";

/** Calls back once, when the element has come into view: what stands above it is read. */
function useSeen(active: boolean, seen: () => void) {
  const ref = useRef<HTMLElement>(null);
  const latest = useRef(seen);
  useEffect(() => {
    latest.current = seen;
  });
  useEffect(() => {
    const end = ref.current;
    if (!active || !end) return undefined;
    const watch = new IntersectionObserver((crossings) => {
      if (!crossings.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      latest.current();
    });
    watch.observe(end);
    return () => watch.disconnect();
  }, [active]);
  return ref;
}

/** Below an article that was opened from a course: its day, which is done when the end is read, and the way back. */
export default function CourseStep({ slug, article }: { slug: string; article: string }) {
  const { data } = useQuery(CoursesService.method.getCourse, { slug });
  const mark = useWrite(MARK_DAY);
  const unmark = useWrite(UNMARK_DAY);
  const [undone, setUndone] = useState(false);
  const { card } = data ?? {};
  const days = data?.days.filter((day) => day.article?.id === article) ?? [];
  // The same article may be two days: the first that is left is this one.
  const day = days.find(({ done }) => !done) ?? days[0];
  const course = card?.id ?? "";
  const pending = mark.pending || unmark.pending;
  const set = (done: boolean) => {
    if (!day || pending) return;
    setUndone(!done);
    void (done ? mark : unmark).send({ course, day: day.id });
  };
  const taken = card?.taken === true;
  const end = useSeen(taken && day?.done === false && !undone, () => set(true));
  if (!card || !taken || !day) return null;
  const trouble = (mark.trouble ?? unmark.trouble)?.message;
  return (
    <aside className={css.step} ref={end} aria-label={copy.step.label}>
      <p role="status">
        {day.done ? `${copy.isDone} ` : ""}
        {copy.step.of(day.title, card.title)}
      </p>
      <p className={css.acts}>
        <Button look="tint" small pending={pending} onClick={() => set(!day.done)}>
          <Icon name={day.done ? "undo" : "tick"} />
          {day.done ? copy.undo : copy.done}
        </Button>
        <ButtonLink small to={paths.course(card.slug)}>
          {copy.step.back}
        </ButtonLink>
      </p>
      {trouble ? <ErrorNote message={trouble} /> : null}
    </aside>
  );
}
