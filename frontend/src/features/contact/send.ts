import type { Data } from "@/data/data";
import { defineWrite, runWrite } from "@/data/mutation";
import { ContactService } from "@/gen/serein/web/v1/contact_pb";
import type { Letter } from "./draft";

/** A chunk of its own, which comes with the first press: the page stands without the gateway. */

const SEND = defineWrite({ method: ContactService.method.sendMessage });

export const send = (data: Data, letter: Letter, idempotencyKey: string) =>
  runWrite(data, SEND, { ...letter, idempotencyKey });
