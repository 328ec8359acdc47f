import { members } from "@/copy/members";
import { useCard } from "@/data/card";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { formatDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { DaysLeft } from "@/ui/DaysLeft";
import { Icon } from "@/ui/Icon";
import { Notice } from "./Notice";
import { msOf } from "./plan";

const words = members.grace;

const dayOf = (at: Membership["endsAt"]): string => (at ? formatDate(msOf(at)) : "");

/** What could not be paid and by which card, until when everything stays open, and when it is tried again. */
function textOf({ price, failedAt, accessUntil, nextAttempt, cardLast4 }: Membership): string {
  const failed = words.failed(price ? formatMoney(price) : "", dayOf(failedAt), cardLast4);
  const open = words.open(dayOf(accessUntil));
  const again = nextAttempt ? words.again(dayOf(nextAttempt)) : "";
  return [failed && `${failed}.`, `${open}${again}.`].filter(Boolean).join(" ");
}

/** The payment that failed, and the way to mend the card. */
export function Grace({ membership }: { membership: Membership }) {
  const { update, pending, trouble } = useCard();
  return (
    <Notice
      title={words.title}
      text={textOf(membership)}
      left={<DaysLeft endsAt={msOf(membership.accessUntil)} />}
      action={
        <Button small look="primary" pending={pending} onClick={update}>
          <Icon name="card" />
          {members.plan.card}
        </Button>
      }
      aside={words.safe}
      trouble={trouble}
    />
  );
}
