import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { fromJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AccountService, ConsentService } from "@/gen/serein/web/v1/account_pb";
import { DebugService } from "@/gen/serein/web/v1/debug_pb";
import { GetSessionResponseSchema, SessionService } from "@/gen/serein/web/v1/session_pb";
import { booted } from "./booted";
import { failure } from "./failure";
import { MockCredentials } from "./mock-credentials";

/** A sign-in of a moment ago, as the gateway keeps it. */
const signIn = () => ({
  issuer: "https://id.serein.example",
  claims: [
    { name: "email", value: "amara@lakehouse.example" },
    { name: "given_name", value: "Amara" },
    { name: "family_name", value: "Lindqvist" },
  ],
  issuedAt: timestampFromMs(Date.now()),
  accessTokenEndsAt: timestampFromMs(Date.now() + 552_000),
  renewsAt: timestampFromMs(Date.now() + 492_000),
  endsAt: timestampFromMs(Date.now() + 13 * 86_400_000),
});

/** Sign-up where "taken" is taken, only 408112 is the code, and only AMARA-7K2F is an invitation. */
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
    getInvite: ({ code }) => ({ known: code === "AMARA-7K2F" }),
  });
  let consents = { essentials: false, terms: false, analytics: false, marketing: false, termsVersion: "" };
  router.service(ConsentService, {
    getConsents: () => ({ consents }),
    updateConsents: (request) => {
      consents = { ...consents, ...request.consents };
      return { consents };
    },
  });
  new MockCredentials().serve(router);
  router.service(SessionService, {
    getSession: () => {
      const boot = booted();
      return fromJson(GetSessionResponseSchema, boot ?? {});
    },
    signOut: () => ({ redirectUrl: "/" }),
  });
  router.service(DebugService, { getSignIn: () => ({ ...(booted() && { signIn: signIn() }) }) });
}
