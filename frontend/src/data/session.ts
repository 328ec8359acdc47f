import { toJson } from "@bufbuild/protobuf";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";
import { parseSession } from "@/lib/boot";
import type { Data } from "@/lib/app";
import { dropLeftBehind } from "./left-behind";
import { defineWrite } from "./mutation";

/** Asks the server who is signed in, and shows it. What was kept for another member is dropped. */
export async function refreshSession(data: Data): Promise<void> {
  const answer = await callUnaryMethod(data.transport, SessionService.method.getSession, {});
  const next = parseSession(toJson(GetSessionResponseSchema, answer));
  if (next.member?.uid !== data.session.get().member?.uid) data.queryClient.clear();
  data.session.set(next);
}

/** Ends the session everywhere, and drops what was written in this tab. Answers with the address to open next. */
export const SIGN_OUT = defineWrite({ method: SessionService.method.signOut, applied: dropLeftBehind });
