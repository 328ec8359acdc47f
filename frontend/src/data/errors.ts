import { Code, ConnectError } from "@connectrpc/connect";
import { errors } from "@/copy/errors";
import type { Reason } from "@/gen/serein/errors/v1/reason_pb";
import { DOMAIN, ErrorInfoSchema } from "./error-info";

/** The contract's word for why a call failed, as it stands on the wire: a name of the generated enum. */
export type ReasonName = keyof typeof Reason;

/** An error as a person should meet it. The only place that turns Connect's codes into words. */
export interface UserError {
  title: string;
  /** One or two sentences for the member. */
  message: string;
  /** The server's stable reason, or "". Branch on this, never on the message. A newer server may know more of them. */
  reason: ReasonName | "";
  /** The faulty field of the form ("email"), or "". */
  field: string;
  /** True where trying the same again may help. */
  retry: boolean;
  /** After so many seconds it may go through; absent where nobody knows. */
  retryAfter?: number;
  code: Code;
}

/** The answer may have been lost on its way: whether what was asked for happened is not known. */
export const LOST: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown]);

export const wasLost = (cause: unknown): boolean => LOST.has(ConnectError.from(cause).code);

type Wording = { title: string; message: string; retry: boolean; own: boolean };

/** `own`: the server's sentence is written for people and is shown instead of ours. */
const WORDINGS: Partial<Record<Code, Wording>> = {
  [Code.Unavailable]: { ...errors.unavailable, retry: true, own: false },
  [Code.DeadlineExceeded]: { ...errors.slow, retry: true, own: false },
  [Code.Canceled]: { ...errors.slow, retry: true, own: false },
  [Code.Aborted]: { ...errors.slow, retry: true, own: false },
  [Code.Unauthenticated]: { ...errors.unauthenticated, retry: false, own: false },
  [Code.NotFound]: { ...errors.notFound, retry: false, own: true },
  [Code.ResourceExhausted]: { ...errors.exhausted, retry: true, own: true },
  [Code.InvalidArgument]: { ...errors.refused, retry: false, own: true },
  [Code.FailedPrecondition]: { ...errors.refused, retry: false, own: true },
  [Code.AlreadyExists]: { ...errors.refused, retry: false, own: true },
  [Code.PermissionDenied]: { ...errors.refused, retry: false, own: true },
};
const BROKEN: Wording = { ...errors.broken, retry: true, own: false };

export function toUserError(cause: unknown, online = globalThis.navigator?.onLine ?? true): UserError {
  const error = ConnectError.from(cause);
  const info = error.findDetails(ErrorInfoSchema).find((d) => d.domain === DOMAIN);
  const wording = WORDINGS[error.code] ?? BROKEN;
  const retryAfter = Number(error.metadata.get("Retry-After"));
  const base = {
    ...(retryAfter > 0 && { retryAfter }),
    reason: (info?.reason ?? "") as ReasonName | "",
    field: info?.metadata["field"] ?? "",
    code: error.code,
  };
  if (!online && wording.retry && !info) return { ...base, ...errors.offline, retry: true };
  // Only an answer of ours (it carries a reason) has a sentence for people; a proxy's has not.
  const message = wording.own && info && error.rawMessage ? error.rawMessage : wording.message;
  return { ...base, title: wording.title, message, retry: wording.retry };
}
