/** The words of the Members Area. */
export const members = {
  greeting: { morning: "Good morning", afternoon: "Good afternoon", evening: "Good evening" },
  lead: "Your plan, your credits, and who you are here.",
  trial: {
    title: "Your free trial",
    until: (day: string, time: string) => `Everything is open until ${day} at ${time}.`,
    over: "Your trial has ended; each person has one. What you have made stays here.",
    nothing: "Nothing is charged when it ends.",
    preparing: "Your trial is being set up. It takes a moment.",
  },
  credits: {
    title: "Meditation credits",
    left: (held: number, of: number) => `${of ? `of ${of} ` : ""}left${held ? `, and ${held} held` : ""}`,
    text: "Voice only uses 1, immersive uses 2. A credit is held while a meditation is made, spent when it is ready, and given back if it could not be made.",
    make: "Make a meditation",
  },
  plan: {
    title: "My Subscription",
    plan: "Plan",
    ends: "Ends",
    ended: "Ended",
    name: "Name",
    email: "Email",
    none: "None yet",
  },
  out: { title: "Sign out", button: "Logout" },
} as const;
