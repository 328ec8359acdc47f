export { SharedPage as default } from "@/features/shared/SharedPage";
