/** What leaving means. The letters of identity and the privacy policy say the same, and count the same days. */
const DAYS_TO_UNDO = 14;
const YEARS_OF_BOOKS = "six years";

/** The words of leaving. */
export const leaving = {
  title: "Leaving",
  panel: {
    title: "Delete my account",
    text: `Your billing is cancelled first. Then you have ${DAYS_TO_UNDO} days to change your mind.`,
    what: "Everything goes",
    detail: `Meditations, what you saved, unused credits and every letter. Receipts stay for ${YEARS_OF_BOOKS}, because the law asks.`,
    open: "Delete",
    openLabel: "Delete my account",
  },
  ask: "Delete your account?",
  lead: `You have ${DAYS_TO_UNDO} days to change your mind: until then, signing in undoes it. After that, nobody can bring it back.`,
  billing: "If you have a membership, it is cancelled first: nothing more is charged.",
  out: "You’re signed out everywhere. A letter confirms it, and no other comes until then.",
  goes: "Then your name, address and consents, your meditations with their sound and words, your basket, what you saved and liked, unused credits and our letters to you are gone.",
  stays: `Orders, receipts and the record of credits stay for ${YEARS_OF_BOOKS}, as the law asks, and name nobody. The `,
  privacy: "privacy page",
  where: " says what else is kept.",
  last: "We write one last time, and forget your address with that letter.",
  password: "To be sure, enter your password",
  missing: "Please enter your password.",
  long: (max: number) => `That is longer than ${max} characters.`,
  keep: "Keep my account",
  confirm: "Delete my account",
  failed: (why: string) => `Your account was not deleted; all is as it was. ${why}`,
  lost: "We did not hear whether it was done. Press again to be sure; it is only ever done once. If it was, you are signed out, and a letter says until when you can undo it.",
} as const;
