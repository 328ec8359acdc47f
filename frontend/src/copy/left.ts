import { formatDay, formatTime } from "@/lib/format";

/** The words for whoever has just deleted their account. */
export const left = {
  title: "Your account will be deleted",
  until: (ms: number) =>
    `As you asked, we’ll delete it on ${formatDay(ms)} at ${formatTime(ms)}. Until then you can sign in and choose “Keep my account”, and everything will be as it was.`,
  out: "You’re signed out everywhere, and you won’t be charged again. We’ve emailed you to confirm.",
  thanks: "Thank you for the time you spent here. Go gently.",
  signIn: "Sign in to keep it",
  close: "Close",
} as const;
