import { remember, remembered } from "@/lib/storage";
import type { Answers } from "./model";

/**
 * What is written on the form, kept for this tab: through signing up, a session that ends, leaving and coming
 * back. It belongs to the member who wrote it; nobody else is shown it. A visitor's belongs to the one who signs in.
 * A title that the server has found to need a person's care is not stored: it stays with this page alone, so that
 * nobody who opens the tab later reads it. That there was one is stored, and brings the words of care again.
 */
interface Draft {
  /** The member's uid; "" for a visitor. */
  owner: string;
  answers: Answers;
  /** The server said of this title that it needs a person's care. */
  needsCare?: boolean;
}

const KEY = "serein-draft";

/** The title that needs care, for as long as this page is open. */
let unstored: string | null = null;

function stored(): Draft | null {
  const draft = fromStorage();
  if (!draft?.needsCare) return draft;
  return { ...draft, answers: { ...draft.answers, title: unstored ?? "" } };
}

function fromStorage(): Draft | null {
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

function store(draft: Draft): void {
  const kept = draft.needsCare ? { ...draft, answers: { ...draft.answers, title: "" } } : draft;
  unstored = draft.needsCare ? draft.answers.title : null;
  remember("sessionStorage", KEY, JSON.stringify(kept));
}

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

export function dropDraft(): void {
  unstored = null;
  remember("sessionStorage", KEY, null);
}
