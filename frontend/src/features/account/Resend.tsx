import { useState } from "react";
import { account } from "@/copy/account";
import { useWrite } from "@/data/mutation";
import { useSecond } from "@/lib/clock";
import { TextButton } from "@/ui/TextButton";
import { codeSent, sentAt } from "./code-sent";
import { RESEND } from "./writes";

const words = account.confirm;
/** Seconds before a new code may be asked for again. */
const AFTER_S = 60;

interface ResendProps {
  /** A code was sent just before, so the first press waits as well. */
  waits: boolean;
  /** Whose code; "" where it has not been said yet, or is no username. */
  username: () => string;
  onMissing: () => void;
  /** Told with "" when it is on its way, else with what went wrong. */
  onSent: (trouble: string) => void;
}

/** Asks for another code, once a minute at most. */
export function Resend({ waits, username, onMissing, onSent }: ResendProps) {
  const { send } = useWrite(RESEND);
  const [from, setFrom] = useState(() => (waits ? sentAt() : 0));
  const wait = Math.max(0, from + AFTER_S - useSecond());
  const resend = async () => {
    if (!username()) return onMissing();
    const { trouble } = await send({ username: username() });
    if (!trouble) setFrom(codeSent());
    onSent(trouble?.message ?? "");
  };
  return (
    <TextButton unavailable={wait > 0} onClick={() => void resend()}>
      {wait > 0 ? words.resendIn(wait) : words.resend}
    </TextButton>
  );
}
