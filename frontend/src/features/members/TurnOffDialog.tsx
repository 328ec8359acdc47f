import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { CredentialDialogProps } from "./PresentPassword";
import { PresentPassword } from "./PresentPassword";
import { REMOVE_SECOND_STEP } from "./second-step";

const words = credentials.secondStep;

/** Turns the authenticator app off once the member has given their password. */
export function TurnOffDialog({ username, onClose, onDone }: CredentialDialogProps) {
  const { send, pending } = useWrite(REMOVE_SECOND_STEP);
  return (
    <PresentPassword
      username={username}
      title={words.offTitle}
      lead={words.offLead}
      action={words.offGo}
      failed={words.notOff}
      lost={words.offLost}
      pending={pending}
      send={async (answers) => {
        const sent = await send(answers);
        if (sent.trouble) return sent.trouble;
        onClose();
        onDone(words.offNow);
        return null;
      }}
      onClose={onClose}
    />
  );
}
