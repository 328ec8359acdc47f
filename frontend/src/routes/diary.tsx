export { DiaryPage as default } from "@/features/diary/DiaryPage";
