import { useState } from "react";
import { credentials } from "@/copy/credentials";
import type { UserError } from "@/data/errors";
import { useWrite } from "@/data/mutation";
import { BEGIN_PASSKEY, FINISH_PASSKEY, makePasskey } from "./passkeys";
import type { CredentialDialogProps } from "./PresentPassword";
import { PresentPassword } from "./PresentPassword";

const words = credentials.passkeys;

/** Adds a passkey: the password, then what the browser asks by itself. */
export function PasskeyDialog({ username, onClose, onDone }: CredentialDialogProps) {
  const begin = useWrite(BEGIN_PASSKEY);
  const finish = useWrite(FINISH_PASSKEY);
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState("");
  const make = async (options: string) => {
    setAsking(true);
    const made = await makePasskey(options);
    setAsking(false);
    return made;
  };
  const add = async (answers: { presentPassword: string }): Promise<UserError | null> => {
    setFault("");
    const begun = await begin.send(answers);
    if (begun.trouble) return begun.trouble;
    const made = await make(begun.answer.options);
    if ("fault" in made) {
      setFault(words.notAdded(words[made.fault]));
      return null;
    }
    const { ceremony } = begun.answer;
    const finished = await finish.send({ ceremony, credential: made.credential });
    if (finished.trouble) return finished.trouble;
    onClose();
    onDone(words.addedNow);
    return null;
  };
  return (
    <PresentPassword
      username={username}
      title={words.addTitle}
      lead={words.addLead}
      action={words.go}
      failed={words.notAdded}
      lost={words.addLost}
      pending={begin.pending || asking || finish.pending}
      fault={fault}
      send={add}
      onClose={onClose}
    />
  );
}
