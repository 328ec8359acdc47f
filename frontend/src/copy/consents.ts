/** The words of the consent dialog and of its panel in the Members Area. */
export const consents = {
  title: "Consent and preferences",
  first: "Before we begin",
  again: "Our terms have changed",
  againLead:
    "The terms or the privacy page have changed since you agreed to them. Please read the new wording and agree to it to carry on. Your other choices are as you left them.",
  lead: "We need two things from you. The other two are optional.",
  essentials: {
    label: "Essentials",
    text: "Your account and what you make, and one cookie that keeps you signed in.",
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
    text: "Counts which pages are opened, never who opens them.",
  },
  marketing: {
    label: "Marketing",
    text: "An email when your credits run low.",
  },
  later: "You can change your choices in the Members Area at any time. ",
  required: "Essentials and the terms are both needed to carry on.",
  orLeave: " If they’re not for you, you can ",
  signOut: "sign out",
  onlyNeeded: "Only what is needed",
  acceptAll: "Accept all",
  needed: "required",
  missing: (names: readonly string[]) => `Please switch on: ${names.join(" and ")}.`,
  update: "Update Consent and Preferences",
  updated: "Your consent and preferences have been updated.",
  loading: "Loading your choices",
  panel: {
    title: "Consent and preferences",
    text: "What you have agreed to, and what you can switch on or off. With analytics on, we count which pages are opened, never who opens them.",
    open: "Review",
  },
} as const;
