import { remember, remembered } from "@/lib/storage";
import type { Answers } from "./model";

/**
 * What is written on the form, kept for this tab: through signing up, a session that ends, leaving and coming
 * back. It belongs to the member who wrote it; nobody else is shown it. A visitor's belongs to whoever signs in.
 */
interface Draft {
  /** The member's uid; "" for a visitor. */
  owner: string;
  answers: Answers;
}

const KEY = "serein-draft";

function stored(): Draft | null {
  try {
    const draft = JSON.parse(remembered("sessionStorage", KEY) ?? "null") as Partial<Draft> | null;
    const answers: Partial<Answers> | undefined = draft?.answers;
    const sound = typeof draft?.owner === "string" && typeof answers?.title === "string" && answers.sizeId;
    return sound ? (draft as Draft) : null;
  } catch {
    return null;
  }
}

/** The draft that `uid` may see (undefined: nobody is signed in), or null. Another member's is dropped. */
export function readDraft(uid: string | undefined): Answers | null {
  const draft = stored();
  if (!draft) return null;
  if (!draft.owner || !uid || draft.owner === uid) return draft.answers;
  dropDraft();
  return null;
}

/** Keeps the answers. Without a session they stay with the member who began them. */
export function keepDraft(answers: Answers, uid: string | undefined): void {
  const owner = uid ?? stored()?.owner ?? "";
  remember("sessionStorage", KEY, JSON.stringify({ owner, answers } satisfies Draft));
}

export const dropDraft = (): void => remember("sessionStorage", KEY, null);
