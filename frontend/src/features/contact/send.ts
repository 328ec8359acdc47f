import type { Data } from "@/lib/app";
import { defineWrite, runWrite } from "@/data/mutation";
import { ContactService } from "@/gen/serein/web/v1/contact_pb";
import type { Letter } from "./draft";

/** This module is its own chunk, loaded by the first press of Send: the page itself needs no gateway. */

const SEND = defineWrite({ method: ContactService.method.sendMessage });

export const send = (data: Data, letter: Letter, idempotencyKey: string) =>
  runWrite(data, SEND, { ...letter, idempotencyKey });
