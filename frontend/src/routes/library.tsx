export { Library as default } from "@/features/library/Library";
