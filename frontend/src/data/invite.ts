import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { defineWrite, useWrite } from "./mutation";

const INVITE_FRIEND = defineWrite({ method: MembershipService.method.inviteFriend });

/** The invitation of one friend by letter. */
export const useInvite = () => useWrite(INVITE_FRIEND);
