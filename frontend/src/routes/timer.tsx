export { TimerPage as default } from "@/features/timer/TimerPage";
