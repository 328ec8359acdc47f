/** The words of the top-up dialog. */
export const topUp = {
  title: "Top up credits",
  loading: "Loading the credit packs",
  lead: "Added to the credits you have. They never expire.",
  trial: (left: string) => `Top-ups come with a membership. Yours is the free trial, with ${left} left.`,
  members: "Top-ups come with a membership.",
  packs: "Credit packs",
  credit: "credit",
  credits: "credits",
  saved: (saving: number) => `${saving}% saved`,
  inBasket: "in your basket",
  add: (price: string) => `Add to Basket, ${price}`,
  unavailable: "You can’t buy this pack at the moment.",
  toBasket: "Go to your basket",
  upgrade: "Upgrade to Topup",
  memberships: "View Our Memberships",
  means: (voice: string, immersive: string) =>
    `${voice} credits make ${voice} voice-only meditations, or ${immersive} immersive ones.`,
  alone: "A membership has to be bought on its own, so these are saved for later.",
} as const;
