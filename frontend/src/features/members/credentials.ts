import { useQuery } from "@connectrpc/connect-query";
import type { Data } from "@/lib/app";
import { defineWrite, showPart } from "@/data/mutation";
import { refreshSession } from "@/data/session";
import type { Credentials } from "@/gen/serein/web/v1/account_pb";
import { CredentialService } from "@/gen/serein/web/v1/account_pb";

/** How the member signs in, and every change of it. */

const { method } = CredentialService;

/** Asked again whenever its tab is looked at: the link of a letter may have stopped a change of email meanwhile. */
export const useCredentials = () => useQuery(method.getCredentials, {}, { refetchOnWindowFocus: "always" });

const invalidates = [method.getCredentials];

/** Shows what an answer says of them, here at once and in the session, which names and writes to the member. */
function applied(data: Data, { credentials }: { credentials?: Credentials | undefined }): void {
  if (credentials) showPart(data, method.getCredentials, { credentials });
  void refreshSession(data).catch(() => undefined);
}

export const CHANGE_NAME = defineWrite({ method: method.changeName, invalidates, applied });
export const CHANGE_PASSWORD = defineWrite({ method: method.changePassword });
export const BEGIN_ADDRESS = defineWrite({ method: method.beginAddressChange, invalidates, applied });
export const CONFIRM_ADDRESS = defineWrite({ method: method.confirmAddressChange, invalidates, applied });
export const STOP_ADDRESS = defineWrite({ method: method.stopAddressChange, invalidates, applied });
