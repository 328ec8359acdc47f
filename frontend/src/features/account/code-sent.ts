import { now } from "@/lib/clock";
import { remember, remembered } from "@/lib/storage";

const KEY = "serein-code-sent";

/** Notes that a code was sent just now, so that a page that is loaded again counts on. Answers the second, since 1970. */
export function codeSent(): number {
  const at = Math.floor(now() / 1000);
  remember("sessionStorage", KEY, String(at));
  return at;
}

/** The second at which a code was sent; now where nobody has noted it. */
export const sentAt = (): number => Number(remembered("sessionStorage", KEY) ?? "") || codeSent();
