export { ScriptPage as default } from "@/features/generator/ScriptPage";
