export { Contact as default } from "@/features/contact/Contact";
