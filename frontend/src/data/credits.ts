import type { Message } from "@bufbuild/protobuf";
import { isMessage } from "@bufbuild/protobuf";
import { CreditsSchema } from "@/gen/serein/web/v1/session_pb";
import type { SessionStore } from "@/lib/session";

/** Shows the balance that an answer carries in its field `credits`; other answers change nothing. */
export function showCredits(session: SessionStore, answer: Message): void {
  const credits = "credits" in answer ? answer.credits : undefined;
  if (!isMessage(credits, CreditsSchema)) return;
  session.setCredits({
    plan: Number(credits.plan),
    topUp: Number(credits.topUp),
    held: Number(credits.held),
  });
}
