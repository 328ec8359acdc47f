import { useQuery } from "@connectrpc/connect-query";
import type { Data } from "@/lib/app";
import { defineWrite, showPart } from "@/data/mutation";
import type { Passkey } from "@/gen/serein/web/v1/passkey_pb";
import { PasskeyService } from "@/gen/serein/web/v1/passkey_pb";

/** With which passkeys the member signs in, and every change of them. */

const { method } = PasskeyService;

export const usePasskeys = () => useQuery(method.listPasskeys, {});

const invalidates = [method.listPasskeys];

/** Shows the passkeys that there are now; how many there may be does not change. */
const applied = (data: Data, { passkeys }: { passkeys: Passkey[] }): void =>
  showPart(data, method.listPasskeys, { passkeys });

export const BEGIN_PASSKEY = defineWrite({ method: method.beginPasskey });
export const FINISH_PASSKEY = defineWrite({ method: method.finishPasskey, invalidates, applied });
export const REMOVE_PASSKEY = defineWrite({ method: method.removePasskey, invalidates, applied });

/** Whether this browser can make one from what the server asks (WebAuthn Level 3). */
export const makesPasskeys = (): boolean => {
  const { PublicKeyCredential: known } = globalThis as Partial<typeof globalThis>;
  return known !== undefined && "parseCreationOptionsFromJSON" in known;
};

/** Why a browser made no passkey: the person did not want to, or the device has one. */
export type NotMade = "notMade" | "thereAlready";

/** Makes a passkey in the browser and returns the credential, as JSON for the server. `options` are the server's, in JSON. */
export async function makePasskey(options: string): Promise<{ credential: string } | { fault: NotMade }> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    return made ? { credential: JSON.stringify(made.toJSON()) } : { fault: "notMade" };
  } catch (cause) {
    const there = cause instanceof DOMException && cause.name === "InvalidStateError";
    return { fault: there ? "thereAlready" : "notMade" };
  }
}
