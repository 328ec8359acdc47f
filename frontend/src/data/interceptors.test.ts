import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { beforeEach, expect, test } from "vitest";
import { SessionService } from "@/gen/serein/web/v1/session_pb";
import { sessionEnded } from "@/lib/account-panel";
import { VISITOR } from "@/lib/boot";
import { createSession } from "@/lib/session";
import { member } from "@/testing/member";
import { interceptors } from "./interceptors";

beforeEach(() => sessionEnded.set(false));

/** What is left of who is signed in after a call that fails so. */
async function after(code: Code, who = member()) {
  const session = createSession({ ...VISITOR, member: who });
  const transport = createRouterTransport(
    ({ rpc }) =>
      rpc(SessionService.method.getSession, () => {
        throw new ConnectError("no", code);
      }),
    { transport: { interceptors: interceptors(session) } },
  );
  const call = callUnaryMethod(transport, SessionService.method.getSession, {});
  await expect(call, "the caller hears it").rejects.toMatchObject({ code });
  return session.get().member?.uid;
}

test("when the server no longer knows the session, the member becomes a visitor and is shown that the session has ended", async () => {
  expect(await after(Code.Unauthenticated)).toBeUndefined();
  expect(sessionEnded.get()).toBe(true);
});

const others = Object.values(Code).filter(
  (code): code is Code => typeof code === "number" && code !== Code.Unauthenticated,
);

test.each(others.map((code) => [Code[code], code] as const))(
  "%s leaves a member a member",
  async (_, code) => {
    expect(await after(code)).toBe(member().uid);
    expect(sessionEnded.get()).toBe(false);
  },
);
