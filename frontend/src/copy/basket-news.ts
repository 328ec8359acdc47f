/** What is said when the basket has changed: as a toast, and in the strip with Undo. Loaded with the gateway's side. */
export const basketNews = {
  added: (name: string) => `${name} added to basket!`,
  alreadyThere: (name: string) => `${name} is already in your basket.`,
  most: (name: string) => `You’ve reached the limit for ${name}.`,
  othersSaved: "A membership has to be bought on its own, so we’ve saved the rest of your basket for later.",
  saved: (name: string) => `A membership has to be bought on its own, so we’ve saved ${name} for later.`,
  savedByHand: (name: string) => `${name} is saved for later.`,
  movedBack: (name: string) => `${name} is back in your basket.`,
  removed: (name: string) => `${name} has been removed from your basket.`,
  cleared: "Your basket has been cleared.",
  undone: "It’s as it was before.",
  replaced: (name: string) => `${name} has taken its place.`,
  merged: "What you chose before signing in is in your basket too.",
  changedElsewhere: "Your basket has changed in another window. This is how it is now; please try again.",
  alone: "A membership has to be bought on its own. Save it for later first, then move this back.",
  oneMembership: "Another membership is in your basket. Save that one for later first.",
} as const;
