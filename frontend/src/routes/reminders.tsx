export { RemindersPage as default } from "@/features/reminders/RemindersPage";
