import { useRef, useState } from "react";
import { contact as copy } from "@/copy/contact";
import type { UserError } from "@/data/errors";
import { useApp } from "@/lib/app";
import { useMember } from "@/lib/session";
import type { Letter } from "./draft";
import { dropLetter, keyOf } from "./draft";

/** "sent" knows where we answer to; "failed" says why, and at which field where it is about one. */
export type Sending =
  | { at: "idle" }
  | { at: "sending" }
  | { at: "sent"; email: string }
  | { at: "failed"; why: string; field: keyof Letter | null };

const FIELDS: readonly string[] = ["name", "email", "phone", "message"] satisfies (keyof Letter)[];
const isField = (name: string): name is keyof Letter => FIELDS.includes(name);

/** Why it failed, in words that say what became of the letter. */
function reasonOf({ reason, message, field }: UserError): { why: string; field: keyof Letter | null } {
  if (isField(field)) return { why: message, field };
  if (!navigator.onLine) return { why: copy.offline, field: null };
  return { why: reason === "TOO_MANY_REQUESTS" ? copy.kept(message) : copy.failed, field: null };
}

/** Sends a letter once, however often it is pressed. */
export function useSending() {
  const app = useApp();
  const uid = useMember()?.uid ?? "";
  const [state, set] = useState<Sending>({ at: "idle" });
  const running = useRef(false);

  const attempt = async (letter: Letter): Promise<Sending> => {
    try {
      const [data, { send }] = await Promise.all([app.data(), import("./send")]);
      const { trouble } = await send(data, letter, keyOf(uid, letter));
      if (trouble) return { at: "failed", ...reasonOf(trouble) };
      dropLetter();
      return { at: "sent", email: letter.email };
    } catch {
      // The part that sends could not be fetched.
      return { at: "failed", why: navigator.onLine ? copy.failed : copy.offline, field: null };
    }
  };
  /** Answers with what became of it; null where one is on its way. */
  const send = async (letter: Letter): Promise<Sending | null> => {
    if (running.current) return null;
    running.current = true;
    set({ at: "sending" });
    const end = await attempt(letter);
    running.current = false;
    set(end);
    return end;
  };
  /** Another letter is begun. */
  const begin = () => set({ at: "idle" });
  return { state, send, begin };
}
