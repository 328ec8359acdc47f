export { Memberships as default } from "@/features/memberships/Memberships";
