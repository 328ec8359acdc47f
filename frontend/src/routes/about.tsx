export { AboutPage as default } from "@/features/text/AboutPage";
