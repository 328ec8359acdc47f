/** What leaving means. The letters of identity and the privacy policy say the same, and count the same days. */
const DAYS_TO_UNDO = 14;
const YEARS_OF_BOOKS = "six years";

/** The words of leaving. */
export const leaving = {
  title: "Leaving",
  panel: {
    title: "Delete my account",
    text: `We cancel your billing first. Then you have ${DAYS_TO_UNDO} days to change your mind.`,
    what: "Everything goes",
    detail: `Your meditations, what you saved, unused credits and our emails. We keep receipts for ${YEARS_OF_BOOKS}, because the law requires it.`,
    open: "Delete",
    openLabel: "Delete my account",
  },
  ask: "Delete your account?",
  lead: `You have ${DAYS_TO_UNDO} days to change your mind: until then, signing in undoes it. After that, nobody can bring it back.`,
  billing: "If you have a membership, we cancel it first: you won’t be charged again.",
  out: "You’ll be signed out everywhere. We’ll email you to confirm, and won’t email you again until then.",
  goes: "Then your name, address and consents, your meditations with their recordings and scripts, your basket, what you saved and liked, unused credits and our emails to you are gone.",
  stays: `Orders, receipts and the record of credits stay for ${YEARS_OF_BOOKS}, as the law requires, without your name. The `,
  privacy: "privacy page",
  where: " says what else is kept.",
  last: "We’ll email you one last time, then delete your address.",
  password: "To confirm, enter your password",
  missing: "Please enter your password.",
  long: (max: number) => `That is longer than ${max} characters.`,
  keep: "Keep my account",
  confirm: "Delete my account",
  failed: (why: string) => `Your account wasn’t deleted. ${why}`,
  lost: "We don’t know whether it worked. Press again to make sure; it can only happen once. If it did, you’re signed out, and our email says until when you can undo it.",
} as const;
