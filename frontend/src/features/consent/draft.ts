import type { Consents } from "@/gen/serein/web/v1/account_pb";
import { TERMS_VERSION } from "@/copy/texts";
import { createStore } from "@/lib/store";

export interface Answers {
  essentials: boolean;
  terms: boolean;
  analytics: boolean;
  marketing: boolean;
}

/** What a member has switched and not sent yet: the dialog goes away while they read the terms. */
export const draft = createStore<{ uid: string; answers: Answers } | null>(null);

/** What the dialog begins with: the member's draft, else what they have given. */
export function firstAnswers(uid: string, given: Consents | undefined): Answers {
  const kept = draft.get();
  if (kept?.uid === uid) return kept.answers;
  return {
    essentials: given?.essentials ?? false,
    // Agreed to is the text as it was: a newer one is asked for again.
    terms: given?.terms === true && given.termsVersion === TERMS_VERSION,
    analytics: given?.analytics ?? false,
    marketing: given?.marketing ?? false,
  };
}
