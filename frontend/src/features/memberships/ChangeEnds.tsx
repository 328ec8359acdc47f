import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "react";
import { memberships } from "@/copy/memberships";
import type { ChangeQuote } from "@/gen/serein/web/v1/membership_pb";
import { formatLongDate } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { paths } from "@/lib/paths";
import { Button, ButtonLink } from "@/ui/Button";
import { Note } from "@/ui/States";
import css from "./ChangeDialog.module.css";

const copy = memberships.changing;

/** It was changed. */
export function Changed({
  quote: { next, nextChargeAt },
  onClose,
}: {
  quote: ChangeQuote;
  onClose: () => void;
}) {
  const close = useRef<HTMLButtonElement>(null);
  // The button that was pressed has given way to it.
  useEffect(() => close.current?.focus(), []);
  const text =
    next && nextChargeAt
      ? copy.doneText(formatMoney(next), formatLongDate(timestampMs(nextChargeAt)))
      : copy.doneNow;
  return (
    <>
      <Note icon="tick" role="status">
        {text}
      </Note>
      <div className={css.actions}>
        <Button ref={close} look="primary" onClick={onClose}>
          {copy.close}
        </Button>
        <ButtonLink look="quiet" to={paths.members}>
          {copy.toMembers}
        </ButtonLink>
      </div>
    </>
  );
}

/** It cannot be changed as things are: why, and where that is seen to. */
export function Impossible({ message, onClose }: { message: string; onClose: () => void }) {
  return (
    <>
      <div role="status">
        <p className={css.lead}>{message}</p>
        <p className={css.stands}>{copy.notPossibleText}</p>
      </div>
      <div className={css.actions}>
        <ButtonLink look="primary" to={paths.members}>
          {copy.toMembers}
        </ButtonLink>
        <Button look="quiet" onClick={onClose}>
          {copy.later}
        </Button>
      </div>
    </>
  );
}
