export { CoursePage as default } from "@/features/courses/CoursePage";
