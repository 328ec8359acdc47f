import { members } from "@/copy/members";
import { LOST } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { KEEP } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { Button } from "@/ui/Button";
import { DaysLeft } from "@/ui/DaysLeft";
import { Notice } from "./Notice";
import { dueDay, msOf } from "./plan";

const words = members.cancelling;

interface CancellingProps {
  membership: Membership;
  topUp: number;
  onDone: (text: string) => void;
}

/** What was cancelled and is still open: until when, and the one click that keeps it. */
export function Cancelling({ membership, topUp, onDone }: CancellingProps) {
  const { send, pending, trouble } = useWrite(KEEP);
  const endsAt = msOf(membership.endsAt);
  const day = dueDay(endsAt);
  const keep = async () => {
    const { answer } = await send({});
    if (answer) onDone(words.kept(membership.planName, dueDay(msOf(answer.membership?.endsAt) || endsAt)));
  };
  const why =
    trouble && (LOST.has(trouble.code) ? lostWords(words.lost) : words.notKept(day, trouble.message));
  return (
    <Notice
      plain
      title={words.title(day)}
      text={words.text(topUp)}
      left={<DaysLeft endsAt={endsAt} />}
      action={
        <Button small look="primary" pending={pending} onClick={() => void keep()}>
          {words.keep}
        </Button>
      }
      aside={words.oneClick(day)}
      trouble={why ?? ""}
    />
  );
}
