import { CoursesService } from "@/gen/serein/web/v1/courses_pb";
import { defineWrite } from "./mutation";

/** What a member does with courses. Every screen that shows one reads it again afterwards. */

const invalidates = [CoursesService];

export const START_COURSE = defineWrite({ method: CoursesService.method.startCourse, invalidates });
export const LEAVE_COURSE = defineWrite({ method: CoursesService.method.leaveCourse, invalidates });
export const MARK_DAY = defineWrite({ method: CoursesService.method.markDay, invalidates });
export const UNMARK_DAY = defineWrite({ method: CoursesService.method.unmarkDay, invalidates });
