export { ApparelPage as default } from "@/features/apparel/ApparelPage";
