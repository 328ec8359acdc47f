import { useState } from "react";
import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { BeginSecondStepResponse } from "@/gen/serein/web/v1/second_step_pb";
import { FinishSecondStepRequestRules as RULES } from "@/gen/serein/web/v1/second_step_rules";
import { Field } from "@/ui/Field";
import { faultOf } from "@/ui/form/rules";
import { FormDialog } from "@/ui/FormDialog";
import type { CredentialDialogProps } from "./PresentPassword";
import { PresentPassword } from "./PresentPassword";
import { QrCode } from "./QrCode";
import { RecoveryCodes } from "./RecoveryCodes";
import css from "./SecondStep.module.css";
import { BEGIN_SECOND_STEP, FINISH_SECOND_STEP } from "./second-step";
import { useTextForm } from "@/data/useTextForm";

const words = credentials.secondStep;

const plain = (code: string): string => code.replaceAll(/\s/g, "");

const CHECKS = {
  code: (v: string) => faultOf(plain(v), RULES.code, { missing: words.missingCode, long: credentials.long }),
};

/** The key as it is typed: in groups of four. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ");

interface ScanProps {
  begun: BeginSecondStepResponse;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

/** What the app takes, and the code that it then shows. */
function Scan({ begun, onClose, onCodes }: ScanProps) {
  const { send, pending } = useWrite(FINISH_SECOND_STEP);
  const { field, submit, trouble } = useTextForm({
    begin: { code: "" },
    checks: CHECKS,
    failed: words.notOn,
    lost: words.onLost,
  });
  const turnOn = submit(async ({ code }) => {
    const sent = await send({ ceremony: begun.ceremony, code: plain(code) });
    if (sent.trouble) return sent.trouble;
    onCodes(sent.answer.recoveryCodes);
    return null;
  });
  return (
    <FormDialog
      title={words.scanTitle}
      lead={words.scanLead}
      action={words.turnOn}
      pending={pending}
      trouble={trouble}
      onSubmit={turnOn}
      onClose={onClose}
    >
      <QrCode text={begun.address} label={words.picture} className={css.picture} />
      <p className={css.key}>
        {words.key}
        <code>{grouped(begun.secret)}</code>
      </p>
      <Field
        {...field("code")}
        label={words.code}
        className={css.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={32}
        data-first=""
        readOnly={pending}
      />
    </FormDialog>
  );
}

/** Sets an authenticator app up: the password, the app with its code, and the recovery codes. */
export function SecondStepDialog({ username, onClose, onDone }: CredentialDialogProps) {
  const { send, pending } = useWrite(BEGIN_SECOND_STEP);
  const [begun, setBegun] = useState<BeginSecondStepResponse | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const kept = () => {
    onClose();
    onDone(words.onNow);
  };
  if (codes) return <RecoveryCodes username={username} codes={codes} onKept={kept} />;
  if (begun) return <Scan begun={begun} onClose={onClose} onCodes={setCodes} />;
  return (
    <PresentPassword
      username={username}
      title={words.beginTitle}
      lead={words.beginLead}
      action={words.begin}
      failed={words.notBegun}
      lost={words.beginLost}
      pending={pending}
      send={async (answers) => {
        const sent = await send(answers);
        if (sent.answer) setBegun(sent.answer);
        return sent.trouble;
      }}
      onClose={onClose}
    />
  );
}
