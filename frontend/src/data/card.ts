import { members } from "@/copy/members";
import { OPEN_PORTAL } from "./membership";
import { useWrite } from "./mutation";

/** The way to the provider's page where the card is changed. */
export function useCard() {
  const { send, pending, trouble } = useWrite(OPEN_PORTAL);
  const open = async () => {
    const { answer } = await send({});
    if (answer) window.location.assign(answer.url);
  };
  return {
    update: () => void open(),
    pending,
    /** Why it did not open, in a sentence; "" where nothing is wrong. */
    trouble: trouble ? members.plan.cardFailed(trouble.message) : "",
  };
}
