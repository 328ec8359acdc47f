import type { MembershipRead } from "@/data/membership";
import { Account } from "./Account";
import { Leave } from "./Leave";
import { Privacy } from "./Privacy";

/** Below the plan and what belongs to it: how one signs in, what one agreed to, and the way out for good. */
export default function Bands({ membership }: { membership: MembershipRead }) {
  return (
    <>
      <Account />
      <Privacy read={membership} />
      <Leave />
    </>
  );
}
