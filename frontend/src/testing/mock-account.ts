import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { fromJson } from "@bufbuild/protobuf";
import { AccountService, ConsentService } from "@/gen/serein/web/v1/account_pb";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";
import { booted } from "./booted";
import { failure } from "./failure";

/** Sign-up where "taken" is taken and only 408112 is the code. */
export function mockAccount(router: ConnectRouter): void {
  router.service(AccountService, {
    signUp: ({ username }) => {
      if (username === "taken")
        throw failure(Code.AlreadyExists, "That username is taken.", "USERNAME_EXISTS", "username");
      return { userConfirmed: false };
    },
    confirmSignUp: ({ code }) => {
      if (code !== "408112")
        throw failure(Code.InvalidArgument, "That is not the code we sent.", "CODE_MISMATCH", "code");
      return {};
    },
    resendConfirmationCode: () => ({}),
  });
  let consents = { essentials: false, terms: false, analytics: false, marketing: false, termsVersion: "" };
  router.service(ConsentService, {
    getConsents: () => ({ consents }),
    updateConsents: (request) => {
      consents = { ...consents, ...request.consents };
      return { consents };
    },
  });
  router.service(SessionService, {
    getSession: () => {
      const boot = booted();
      return fromJson(GetSessionResponseSchema, boot ?? {});
    },
    signOut: () => ({ redirectUrl: "/" }),
  });
}
