/** The words of the consent dialog and of its panel in the Members Area. */
export const consents = {
  title: "Consent and preferences",
  first: "Before we begin",
  again: "Our terms have changed",
  againLead:
    "Since you agreed to them, the terms or the privacy page have new words. Please read them in your own time; Serein goes on once you agree. Your other choices stay as they were.",
  lead: "Two things Serein cannot do without, and two that are yours to choose. You can come back to this in the Members Area at any time.",
  essentials: {
    label: "Essentials",
    text: "Your account, signing in, your meditations and credits, and one cookie that keeps you signed in.",
  },
  terms: {
    label: "Terms and privacy",
    text: "I accept the ",
    terms: "terms and conditions",
    and: " and have read the ",
    privacy: "privacy page",
  },
  analytics: {
    label: "Analytics",
    text: "Counting which of our pages are opened, to make them better: the page alone, not who opens it or what is in it.",
  },
  marketing: {
    label: "Marketing",
    text: "A letter when your credits run low, so that you can top up. Sent only to those who have said so.",
  },
  required: "Essentials and the terms are both needed to go on.",
  orLeave: " If they are not for you, you can ",
  signOut: "sign out",
  declineExtras: "Decline extras",
  acceptAll: "Accept all",
  needed: "needed",
  update: "Update Consent and Preferences",
  updated: "Your consent and preferences are updated.",
  loading: "One moment",
  panel: {
    title: "Consent and preferences",
    text: "What you have agreed to, and what you may switch on or off. With analytics on we count which pages are opened, and nothing of who opens them.",
    open: "Look at them",
  },
} as const;
