export { NotFound as default } from "@/features/not-found/NotFound";
