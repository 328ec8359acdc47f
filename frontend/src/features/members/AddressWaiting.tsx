import { useEffect, useEffectEvent, useRef } from "react";
import { credentials } from "@/copy/credentials";
import { LOST } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import { useWrite } from "@/data/mutation";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { ConfirmAddressChangeRequestRules as RULES } from "@/gen/serein/web/v1/account_rules";
import { now } from "@/lib/clock";
import { formatTime } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Field, FieldRow } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { ErrorNote } from "@/ui/States";
import css from "./AddressWaiting.module.css";
import { CONFIRM_ADDRESS, STOP_ADDRESS } from "./credentials";
import { msOf } from "./plan";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.email;

const plain = (code: string): string => code.replaceAll(/\s/g, "");

const CHECKS = {
  presentCode: (v: string) => faultOf(plain(v), RULES.presentCode, { missing: words.missingCode }),
  newCode: (v: string) => faultOf(plain(v), RULES.newCode, { missing: words.missingCode }),
};

/** After its time the server knows no change that waits. A second later, since its clock decides. */
const AFTER_MS = 1000;

function useOver(at: number, onOver: () => void): void {
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const timer = setTimeout(() => over(), Math.max(0, at - now()) + AFTER_MS);
    return () => clearTimeout(timer);
  }, [at]);
}

/** Focuses the first code's field once the member, who has just asked for the codes, can type there. */
function useFirst(ready: boolean) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (ready) form.current?.querySelector("input")?.focus();
  }, [ready]);
  return form;
}

interface AddressWaitingProps {
  credentials: Credentials;
  /** The codes were asked for just now, and nothing lies above. */
  ready: boolean;
  /** Asks for new codes. */
  onAgain: () => void;
  /** It is done, or stopped; the words say which. */
  onDone: (text: string) => void;
  /** It may no longer wait: its time is over, or the server knows of none. */
  onOver: () => void;
}

/** A change of email that waits for the codes of both mailboxes. It is the server's, so a reload brings it again. */
export function AddressWaiting({ credentials: mine, ready, onAgain, onDone, onOver }: AddressWaitingProps) {
  const confirm = useWrite(CONFIRM_ADDRESS);
  const stop = useWrite(STOP_ADDRESS);
  const expires = msOf(mine.newEmailExpires);
  useOver(expires, onOver);
  const form = useFirst(ready);
  const { field, submit, trouble } = useTextForm({
    begin: { presentCode: "", newCode: "" },
    checks: CHECKS,
    failed: words.notConfirmed,
    lost: words.confirmLost,
  });
  const enter = submit(async ({ presentCode, newCode }) => {
    stop.forget();
    const sent = await confirm.send({ presentCode: plain(presentCode), newCode: plain(newCode) });
    if (sent.trouble?.reason === "EXPIRED_CODE") onOver();
    if (sent.trouble) return sent.trouble;
    onDone(words.changed(sent.answer.credentials?.email ?? mine.newEmail));
    return null;
  });
  const keep = async () => {
    const { answer } = await stop.send({});
    if (answer) onDone(words.stopped);
  };
  const code = {
    className: css.code,
    inputMode: "numeric",
    autoComplete: "one-time-code",
    maxLength: 32,
    readOnly: confirm.pending,
  } as const;
  const present = field("presentCode");
  const fresh = field("newCode");
  return (
    <form
      ref={form}
      className={css.waiting}
      aria-label={words.form}
      noValidate
      onSubmit={(event) => void enter(event)}
    >
      <p>{words.waiting(mine.newEmail, formatTime(expires))}</p>
      <FieldRow>
        <Field {...present} {...code} label={words.codeAt(mine.email)} />
        <Field {...fresh} {...code} label={words.codeAt(mine.newEmail)} />
      </FieldRow>
      {trouble ? <ErrorNote message={trouble} /> : null}
      {stop.trouble ? (
        <ErrorNote
          message={
            LOST.has(stop.trouble.code) ? lostWords(words.stopLost) : words.notStopped(stop.trouble.message)
          }
        />
      ) : null}
      <div className={css.actions}>
        <Button look="primary" small type="submit" pending={confirm.pending}>
          {words.confirm}
        </Button>
        <Button small aria-haspopup="dialog" onClick={onAgain}>
          {words.again}
        </Button>
        <Button look="quiet" small pending={stop.pending} onClick={() => void keep()}>
          {words.stop}
        </Button>
      </div>
    </form>
  );
}
