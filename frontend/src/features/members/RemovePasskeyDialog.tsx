import { credentials } from "@/copy/credentials";
import { useWrite } from "@/data/mutation";
import type { Passkey } from "@/gen/serein/web/v1/passkey_pb";
import { REMOVE_PASSKEY } from "./passkeys";
import type { CredentialDialogProps } from "./PresentPassword";
import { PresentPassword } from "./PresentPassword";

const words = credentials.passkeys;

/** Removes a passkey once the member has given their password. */
export function RemovePasskeyDialog({
  username,
  passkey,
  onClose,
  onDone,
}: CredentialDialogProps & { passkey: Passkey }) {
  const { send, pending } = useWrite(REMOVE_PASSKEY);
  return (
    <PresentPassword
      username={username}
      title={words.removeTitle(passkey.name)}
      lead={words.removeLead}
      action={words.removeGo}
      failed={words.notRemoved}
      lost={words.removeLost}
      pending={pending}
      send={async (answers) => {
        const sent = await send({ ...answers, id: passkey.id });
        if (sent.trouble) return sent.trouble;
        onClose();
        onDone(words.removed(passkey.name));
        return null;
      }}
      onClose={onClose}
    />
  );
}
