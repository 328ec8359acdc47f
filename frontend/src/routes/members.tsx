import { MembersArea } from "@/features/members/MembersArea";
import { useMember } from "@/lib/session";

/** Opened by members only; nobody is left to show it to while signing out. */
export default function Members() {
  const member = useMember();
  return member ? <MembersArea member={member} /> : null;
}
