/** What is said when the basket has changed: as a toast, and in the strip with Undo. Loaded with the gateway's side. */
export const basketNews = {
  added: (name: string) => `${name} added to basket!`,
  alreadyThere: (name: string) => `${name} is in your basket already.`,
  most: (name: string) => `That is as many of ${name} as there can be.`,
  othersSaved: "A membership is bought alone, so what else was in your basket is saved for later.",
  saved: (name: string) => `A membership is bought alone, so ${name} is saved for later.`,
  savedByHand: (name: string) => `${name} is saved for later.`,
  movedBack: (name: string) => `${name} is back in your basket.`,
  removed: (name: string) => `${name} is out of your basket.`,
  cleared: "Your basket is cleared.",
  undone: "It is as it was before.",
  replaced: (name: string) => `${name} has taken its place.`,
  merged: "What you chose before signing in is in your basket too.",
  changedElsewhere:
    "Your basket had changed in another window. This is how it stands now; please try once more.",
  alone: "A membership is bought alone. Save it for later first, and this comes back.",
  oneMembership: "Another membership is in your basket. Save that one for later first.",
} as const;
