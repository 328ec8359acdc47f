import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { transport } from "@/data/transport";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";
import { parseSession } from "@/lib/boot";
import { getSession, setSession } from "@/lib/session";
import { queryClient } from "./query";

const client = createClient(SessionService, transport);

/** Drops every answer kept in memory; for a change of member. */
export const forgetAnswers = (): void => queryClient.clear();

/** Asks the server who is signed in, and shows it. What was kept for another member is dropped. */
export async function refreshSession(): Promise<void> {
  const answer = await client.getSession({});
  const next = parseSession(toJson(GetSessionResponseSchema, answer));
  if (next.member?.uid !== getSession().member?.uid) forgetAnswers();
  setSession(next);
}

/** Ends the session everywhere. Answers with the address to open next. */
export async function signOut(): Promise<string> {
  const { redirectUrl } = await client.signOut({});
  return redirectUrl;
}
