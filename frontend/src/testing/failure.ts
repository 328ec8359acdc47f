import type { Code } from "@connectrpc/connect";
import { ConnectError } from "@connectrpc/connect";
import type { ReasonName } from "@/data/errors";
import { DOMAIN, ErrorInfoSchema } from "@/data/error-info";

/** An error as the gateway answers it: with a stable reason and the faulty field. */
export const failure = (code: Code, message: string, reason: ReasonName, field: string): ConnectError =>
  new ConnectError(message, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: DOMAIN, metadata: { field } } },
  ]);
