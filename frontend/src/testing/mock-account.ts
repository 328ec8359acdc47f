import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { fromJson } from "@bufbuild/protobuf";
import { DOMAIN, ErrorInfoSchema } from "@/data/error-info";
import { AccountService } from "@/gen/serein/web/v1/account_pb";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";

const fail = (code: Code, message: string, reason: string, field: string) =>
  new ConnectError(message, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: DOMAIN, metadata: { field } } },
  ]);

/** Sign-up where "taken" is taken and only 408112 is the code. */
export function mockAccount(router: ConnectRouter): void {
  router.service(AccountService, {
    signUp: ({ username }) => {
      if (username === "taken")
        throw fail(Code.AlreadyExists, "This username is taken.", "USER_EXISTS", "username");
      return { userConfirmed: false };
    },
    confirmSignUp: ({ code }) => {
      if (code !== "408112")
        throw fail(Code.InvalidArgument, "That is not the code we sent.", "CODE_MISMATCH", "code");
      return {};
    },
    resendConfirmationCode: () => ({}),
  });
  router.service(SessionService, {
    getSession: () => {
      const boot = JSON.parse(document.querySelector("#boot")?.textContent ?? "null");
      return fromJson(GetSessionResponseSchema, boot ?? {});
    },
    signOut: () => ({ redirectUrl: "/" }),
  });
}
