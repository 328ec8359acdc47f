import type { Consents } from "@/gen/serein/web/v1/account_pb";
import { createStore } from "@/lib/store";

export interface Answers {
  essentials: boolean;
  terms: boolean;
  analytics: boolean;
  marketing: boolean;
}

/** What a member has switched and not sent yet, under the texts that were shown: the dialog goes away while they read them. */
export const draft = createStore<{ uid: string; shown: string; answers: Answers } | null>(null);

/** What the dialog begins with: the member's draft, else what they have given. `shown` is the version of the texts it shows. */
export function firstAnswers(uid: string, given: Consents | undefined, shown: string): Answers {
  const kept = draft.get();
  if (kept?.uid === uid) return { ...kept.answers, terms: kept.answers.terms && kept.shown === shown };
  return {
    essentials: given?.essentials ?? false,
    // Agreed to is the text as it was: another is asked for again.
    terms: given?.terms === true && given.termsVersion === shown,
    analytics: given?.analytics ?? false,
    marketing: given?.marketing ?? false,
  };
}

/** Whether a member has agreed to a version of the texts before `shown`; false for new members, and for members who withdrew. */
export const agreedToOthers = (given: Consents | undefined, shown: string): boolean =>
  given?.terms === true && given.termsVersion !== "" && shown !== "" && given.termsVersion !== shown;
