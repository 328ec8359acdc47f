import { members } from "@/copy/members";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { formatLongDate } from "@/lib/format";
import { paths } from "@/lib/paths";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "./Notice";
import { msOf } from "./plan";

const words = members.ended;

/** What was paid for and is over: what stays, and the way back. */
export function Ended({ membership, topUp }: { membership: Membership; topUp: number }) {
  const choose = (
    <ButtonLink small look="primary" to={paths.memberships}>
      {members.trial.choose}
    </ButtonLink>
  );
  const day = formatLongDate(msOf(membership.endsAt));
  return (
    <Notice plain title={words.title} text={words.text(day, topUp)} action={choose} aside={words.back} />
  );
}
