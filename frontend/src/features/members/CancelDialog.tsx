import { useId, useState } from "react";
import { members } from "@/copy/members";
import type { UserError } from "@/data/errors";
import { LOST } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { CANCEL } from "@/data/membership";
import { useWrite } from "@/data/mutation";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { CancellationReason, MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import type { IconName } from "@/ui/Icon";
import { Icon } from "@/ui/Icon";
import { ErrorNote } from "@/ui/States";
import css from "./CancelDialog.module.css";
import { dueDay, msOf } from "./plan";

const words = members.cancel;

const WHYS: readonly [CancellationReason, string][] = [
  [CancellationReason.TOO_EXPENSIVE, words.tooExpensive],
  [CancellationReason.UNUSED, words.unused],
  [CancellationReason.OTHER, words.other],
];

/** What is open by the plan, and will not be. */
function useClosing({ periodCredits, period }: Membership): string[] {
  const open = useMember()?.plan?.entitlements ?? [];
  return [
    open.includes("library") ? words.library : "",
    open.includes("articles") ? words.articles : "",
    periodCredits > 0n ? words.newCredits(Number(periodCredits), period) : "",
  ].filter(Boolean);
}

function Line({ icon, children }: { icon: IconName; children: string }) {
  return (
    <li className={icon === "minus" ? css.no : undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}

interface WhyProps {
  chosen: CancellationReason;
  onChoose: (why: CancellationReason) => void;
}

/** Why one goes, for who would like to say it. */
function Why({ chosen, onChoose }: WhyProps) {
  const name = useId();
  return (
    <fieldset className={css.why}>
      <legend>{words.why}</legend>
      {WHYS.map(([why, text]) => (
        <label key={why}>
          <input type="radio" name={name} checked={why === chosen} onChange={() => onChoose(why)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** What stands, whichever way it failed. */
const failed = ({ code, message }: UserError): string =>
  LOST.has(code) ? lostWords(words.lost) : words.failed(message);

interface CancelDialogProps {
  membership: Membership;
  topUp: number;
  onClose: () => void;
  onDone: (text: string) => void;
}

/** What ends, what stays, and until when, before anything is cancelled. */
export default function CancelDialog({ membership, topUp, onClose, onDone }: CancelDialogProps) {
  const { send, pending, trouble } = useWrite(CANCEL);
  const [reason, choose] = useState(CancellationReason.UNSPECIFIED);
  const grace = membership.status === MembershipStatus.GRACE;
  const day = dueDay(msOf(membership.endsAt));
  const closing = useClosing(membership);
  const cancel = async () => {
    const { answer } = await send({ reason });
    if (!answer) return;
    const ended = answer.membership?.status === MembershipStatus.ENDED;
    onClose();
    onDone(ended ? words.ended : words.cancelled(dueDay(msOf(answer.membership?.endsAt))));
  };
  return (
    <Dialog title={grace ? members.inGrace.ask : words.ask} onClose={onClose}>
      <p className={css.lead}>
        {grace ? members.inGrace.lead(membership.planName) : words.lead(membership.planName, day)}
      </p>
      <ul className={css.lines}>
        <Line icon="tick">{words.keeps(topUp)}</Line>
        <Line icon="tick">{words.letter}</Line>
        {closing.length > 0 ? (
          <Line icon="minus">{grace ? words.closeNow(closing) : words.closes(closing, day)}</Line>
        ) : null}
      </ul>
      {grace ? null : <Why chosen={reason} onChoose={choose} />}
      {trouble ? <ErrorNote message={failed(trouble)} /> : null}
      <div className={css.actions}>
        <Button data-first="" onClick={onClose}>
          {words.keep}
        </Button>
        <Button look="danger" pending={pending} onClick={() => void cancel()}>
          {grace ? members.inGrace.open : words.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
