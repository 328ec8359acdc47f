import { callUnaryMethod } from "@connectrpc/connect-query";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import type { Data } from "@/lib/app";

/** One's own meditation with its words, as the gateway has it now. Throws as the call does. */
export const readOwn = ({ transport }: Data, id: string, signal?: AbortSignal) =>
  callUnaryMethod(transport, GeneratorService.method.getMeditation, { id }, signal && { signal });
