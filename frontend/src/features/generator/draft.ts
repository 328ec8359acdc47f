import { onSession, getSession } from "@/lib/session";
import { remember, remembered } from "@/lib/storage";
import { createStore } from "@/lib/store";
import type { Answers } from "./model";

/** What is written on the form, kept for this tab: through signing up, leaving and coming back. */

const KEY = "serein-draft";

function stored(): Answers | null {
  try {
    const v = JSON.parse(remembered("sessionStorage", KEY) ?? "null") as Partial<Answers> | null;
    return v && typeof v.title === "string" && typeof v.sizeId === "string" ? (v as Answers) : null;
  } catch {
    return null;
  }
}

export const draft = createStore<Answers | null>(stored());

export function keepDraft(answers: Answers | null): void {
  draft.set(answers);
  remember("sessionStorage", KEY, answers && JSON.stringify(answers));
}

/** News for the form: what happened to the meditation the member comes from. */
export const notice = createStore<string>("");

let uid = getSession().member?.uid;
onSession(() => {
  const now = getSession().member?.uid;
  if (uid && uid !== now) keepDraft(null);
  uid = now;
});
