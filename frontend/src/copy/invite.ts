/** Inviting a friend by email: in the Members Area and in the share panel. */
export const invite = {
  form: "Invite a friend",
  friend: "Friend’s name",
  email: "Their email",
  send: "Send the invitation",
  sending: "Sending the invitation",
  sent: "Sent",
  sentNote: "It’s on its way. A friend gets this email only once, even if several people invite them.",
  missing: "Please enter your friend’s email address.",
  long: (max: number) => `That is longer than ${max} characters.`,
  emailShape: "That email looks unfinished. Check the part after the @.",
  enough:
    "You’ve sent all your invitations for today, so this one wasn’t sent. Try again tomorrow, or share your code from the Members Area, which always works.",
  soon: (why: string) => `${why} We’ve kept what you wrote.`,
  offline: "You’re offline, so it wasn’t sent. Please send it when you’re back online.",
  failed: "We couldn’t send it. Please try again in a minute.",
} as const;
