import { remember, remembered } from "@/lib/storage";

/**
 * A letter to us is kept for this tab, through a failed send and a reload. It belongs to the member who wrote it;
 * a visitor's letter passes to the member who signs in next.
 */

export interface Letter {
  name: string;
  email: string;
  phone: string;
  message: string;
}

interface Draft {
  /** The member's uid; "" for a visitor. */
  owner: string;
  letter: Letter;
  /** The key it was sent with and the words it was sent with; "" before. The same words again are the same letter. */
  key: string;
  sent: string;
}

const KEY = "serein-contact";
export const EMPTY: Letter = { name: "", email: "", phone: "", message: "" };

function stored(): Draft | null {
  try {
    const draft = JSON.parse(remembered("sessionStorage", KEY) ?? "null") as Partial<Draft> | null;
    if (typeof draft?.letter !== "object" || typeof draft.owner !== "string") return null;
    return {
      owner: draft.owner,
      letter: { ...EMPTY, ...draft.letter },
      key: draft.key ?? "",
      sent: draft.sent ?? "",
    };
  } catch {
    return null;
  }
}

const wordsOf = ({ name, email, phone, message }: Letter): string =>
  JSON.stringify([name, email, phone, message]);

/** What `uid` ("" for a visitor) has written; empty where nothing is kept. Another member's is dropped. */
export function readLetter(uid: string): Letter {
  const draft = stored();
  if (!draft) return EMPTY;
  if (!draft.owner || !uid || draft.owner === uid) return draft.letter;
  dropLetter();
  return EMPTY;
}

export function keepLetter(uid: string, letter: Letter): void {
  const { key = "", sent = "" } = stored() ?? {};
  remember("sessionStorage", KEY, JSON.stringify({ owner: uid, letter, key, sent } satisfies Draft));
}

/** The key to send it with: the one of the last try, where its words were these. */
export function keyOf(uid: string, letter: Letter): string {
  const before = stored();
  const sent = wordsOf(letter);
  const key = before?.key && before.sent === sent ? before.key : crypto.randomUUID();
  remember("sessionStorage", KEY, JSON.stringify({ owner: uid, letter, key, sent } satisfies Draft));
  return key;
}

export const dropLetter = (): void => remember("sessionStorage", KEY, null);
