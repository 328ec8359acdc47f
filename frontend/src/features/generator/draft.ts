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
  /** The server said of this title that it needs a person's care. */
  needsCare?: boolean;
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

const store = (draft: Draft): void => remember("sessionStorage", KEY, JSON.stringify(draft));

const titleOf = (draft: Draft): string => draft.answers.title.trim();

/**
 * Keeps the answers. Without a session they stay with the member who began them. What was said of the title stays
 * as long as the title does.
 */
export function keepDraft(answers: Answers, uid: string | undefined): void {
  const before = stored();
  const draft: Draft = { owner: uid ?? before?.owner ?? "", answers };
  if (before?.needsCare && titleOf(before) === titleOf(draft)) draft.needsCare = true;
  store(draft);
}

/** Keeps with the draft what the server said of its title; nothing where the draft has another title by now. */
export function markDraft(title: string, needsCare: boolean): void {
  const draft = stored();
  if (draft && titleOf(draft) === title.trim()) store({ ...draft, needsCare });
}

/** Whether the title of the draft was judged to need care, as `markDraft` kept it. */
export const draftNeedsCare = (): boolean => stored()?.needsCare === true;

export const dropDraft = (): void => remember("sessionStorage", KEY, null);
