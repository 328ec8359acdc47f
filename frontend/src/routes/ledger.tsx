export { LedgerPage as default } from "@/features/members/LedgerPage";
