import { LEAVE_COURSE, MARK_DAY, START_COURSE, UNMARK_DAY } from "@/data/courses";
import { useWrite } from "@/data/mutation";

/** What a member does with a course. */
export interface CourseActs {
  start: (over?: boolean) => Promise<boolean>;
  leave: () => Promise<boolean>;
  /** Says whether a day is done. */
  mark: (day: string, done: boolean) => void;
  pending: boolean;
  /** Why the last of it was not done; "" where it was. */
  trouble: string;
}

/** The acts of a member on the course with that id. One at a time: a press while another is under way does nothing. */
export function useCourse(course: string): CourseActs {
  const start = useWrite(START_COURSE);
  const leave = useWrite(LEAVE_COURSE);
  const mark = useWrite(MARK_DAY);
  const unmark = useWrite(UNMARK_DAY);
  const all = [start, leave, mark, unmark];
  const pending = all.some((write) => write.pending);
  const sent = async (send: () => Promise<{ trouble: unknown }>) =>
    !pending && (await send()).trouble === null;
  return {
    start: (over = false) => sent(() => start.send({ course, over })),
    leave: () => sent(() => leave.send({ course })),
    mark: (day, done) => void sent(() => (done ? mark : unmark).send({ course, day })),
    pending,
    trouble: all.find((write) => write.trouble)?.trouble?.message ?? "",
  };
}
