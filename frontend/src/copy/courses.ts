/** The words of the courses, and of one. */
export const courses = {
  title: "Courses",
  lead: "A few days that belong together. Take them in a row, or weeks apart: they wait for you.",
  loading: "Opening the courses",
  none: "There are no courses yet. Please look in again soon.",
  /** The length of a course, as a template has it. */
  days: (n: string) => `${n} days`,
  taken: "Begun",
  finished: "All done",
  all: "All courses",
  path: "The days",
  start: "Start this course",
  startText: "There are no dates in it. Do the next day whenever you like.",
  next: "Next",
  done: "Done",
  /** Names of buttons say which day they are about. */
  doneWith: (title: string) => `Done with ${title}`,
  undo: "Undo",
  undoOf: (title: string) => `Undo: ${title} isn’t done`,
  isDone: "Done.",
  minutes: (n: number) => `${n} min`,
  read: (title: string) => `Read ${title}`,
  recording: "It’s being recorded. You can listen here soon.",
  away: "What was here has been taken out for now. The days after it are open.",
  end: "That was the last day. The course stays here, if you’d like to walk it again.",
  more: "More about this course",
  over: {
    name: "Start over",
    title: "Start over?",
    text: "No day will be marked as done. What you’ve saved and listened to stays as it is.",
    keep: "Keep it as it is",
  },
  leave: {
    name: "Leave this course",
    title: "Leave this course?",
    text: "We’ll forget which days you’ve done. You can start it again whenever you like.",
    keep: "Stay",
  },
  join: {
    title: "Walk all of it",
    visitor:
      "The days of a course are open to you in a free trial, with the whole library. No card, and nothing to cancel.",
    member:
      "The days of a course are part of a membership with the library. Yours doesn’t include it at the moment.",
    memberships: "View Our Memberships",
    join: "Start your free trial",
    signIn: "Sign in",
  },
  /** Under an article that was opened from a course. */
  step: {
    label: "Your course",
    of: (day: string, course: string) => `From ${course}: ${day}`,
    back: "Back to the course",
  },
  /** Cards of the next day, on Home and in My Journey. */
  mine: {
    title: "Your courses",
    next: (title: string) => `Next: ${title}`,
    of: (course: string) => `Next in ${course}`,
  },
} as const;
