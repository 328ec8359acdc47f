import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import type { CourseDay } from "@/gen/serein/web/v1/courses_pb";
import { CourseDaySchema, CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { create } from "@bufbuild/protobuf";
import { booted } from "./booted";
import { CARDS } from "./content";
import { failure } from "./failure";
import { suggestedOfLibrary } from "./mock-library";

/** Courses from memory, as a member and as a visitor get them. */

const { meditation, tracks } = suggestedOfLibrary();

const day = (id: string, title: string, line: string, more: object = {}): CourseDay =>
  create(CourseDaySchema, { id, title, line, ...more });

const DAYS: readonly CourseDay[] = [
  day("history", "Where did it turn?", "Write last night down backwards. It takes ten minutes.", {
    article: CARDS[1],
  }),
  day("train", "Let them get off", "The day’s errands have tickets of their own.", { meditation }),
  day("windows", "Across the street", "Keep the big light off.", { away: true }),
  day("small-hours", "For the small hours", "Read this by daylight.", { meditation, article: CARDS[0] }),
];

const EVENINGS = {
  id: "seven-quiet-evenings",
  slug: "seven-quiet-evenings",
  title: "Seven Quiet Evenings",
  description: "A slow walk from the end of the working day to the pillow, one evening at a time.",
  category: { id: "better-sleep", name: "Better Sleep", confidence: 100 },
  days: DAYS.length,
};

const OTHERS = [
  { id: "a-first-week", title: "A First Week", category: "Mindfulness", days: 7 },
  { id: "with-other-people", title: "With Other People", category: "Relationships", days: 5 },
].map((one) => ({
  ...one,
  slug: one.id,
  description: "Short beginnings for someone who has never meditated, or who stopped.",
  category: { id: one.category.toLowerCase(), name: one.category, confidence: 100 },
}));

/** As many of the days as a visitor gets: titles, and what is open. */
const outline = (d: CourseDay): CourseDay =>
  d.article?.open ? d : create(CourseDaySchema, { id: d.id, title: d.title, away: d.away, locked: !d.away });

/** Courses whose reader is a member, or not; `taken` from the start. */
export function mockCourses(router: ConnectRouter, member = booted()?.member !== undefined, taken = member) {
  const done = new Set<string>(taken ? ["history"] : []);
  const calls: string[] = [];
  const state = { taken };
  const next = () => DAYS.find(({ id, away }) => !away && !done.has(id));
  const card = () => ({ ...EVENINGS, taken: state.taken, finished: state.taken && !next() });
  router.service(CoursesService, {
    listCourses: () => ({ courses: [card(), ...OTHERS] }),
    getCourse: ({ slug }) => {
      if (slug !== EVENINGS.slug)
        throw failure(Code.NotFound, "There is nothing here.", "ITEM_NOT_FOUND", "");
      return {
        card: card(),
        openingHtml:
          "<p>An evening has a shape, and by the time we notice it we’re often already lying awake in it.</p><p>They needn’t be seven evenings in a row.</p>",
        days: DAYS.map((d) => ({ ...(member ? d : outline(d)), done: done.has(d.id) })),
        nextDay: state.taken ? (next()?.id ?? "") : "",
        tracks: member ? tracks : [],
      };
    },
    startCourse: ({ over }) => {
      calls.push(over ? "over" : "start");
      if (over) done.clear();
      state.taken = true;
      return {};
    },
    leaveCourse: () => {
      calls.push("leave");
      done.clear();
      state.taken = false;
      return {};
    },
    markDay: ({ day: id }) => {
      calls.push(`done ${id}`);
      done.add(id);
      return {};
    },
    unmarkDay: ({ day: id }) => {
      calls.push(`undo ${id}`);
      done.delete(id);
      return {};
    },
    listMyCourses: () => {
      const at = next();
      const number = at ? DAYS.indexOf(at) + 1 : 0;
      return {
        courses: state.taken
          ? [{ card: card(), ...(at && { next: { id: at.id, title: at.title, line: at.line, number } }) }]
          : [],
      };
    },
  });
  return { calls };
}
