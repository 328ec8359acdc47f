import { useState } from "react";
import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { CredentialDialogProps } from "./PresentPassword";
import { PresentPassword } from "./PresentPassword";
import { RecoveryCodes } from "./RecoveryCodes";
import { NEW_RECOVERY_CODES } from "./second-step";

const words = credentials.secondStep;

/** Replaces the recovery codes once the member has given their password. */
export function FreshCodesDialog({ username, onClose, onDone }: CredentialDialogProps) {
  const { send, pending } = useWrite(NEW_RECOVERY_CODES);
  const [codes, setCodes] = useState<string[] | null>(null);
  const kept = () => {
    onClose();
    onDone(words.freshNow);
  };
  if (codes) return <RecoveryCodes username={username} codes={codes} onKept={kept} />;
  return (
    <PresentPassword
      username={username}
      title={words.freshTitle}
      lead={words.freshLead}
      action={words.freshGo}
      failed={words.notFresh}
      lost={words.freshLost}
      pending={pending}
      send={async (answers) => {
        const sent = await send(answers);
        if (sent.answer) setCodes(sent.answer.recoveryCodes);
        return sent.trouble;
      }}
      onClose={onClose}
    />
  );
}
