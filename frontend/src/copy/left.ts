import { formatDay, formatTime } from "@/lib/format";

/** The words for whoever has just deleted their account. */
export const left = {
  title: "Your account will be deleted",
  until: (ms: number) =>
    `As you wished, it is deleted on ${formatDay(ms)} at ${formatTime(ms)}. Until then you can sign in and choose “Keep my account”, and all is as it was.`,
  out: "You’re signed out everywhere, and nothing more is charged. A letter that says so is on its way to you.",
  thanks: "Thank you for the time you spent here. Go gently.",
  signIn: "Sign in to keep it",
  close: "Close",
} as const;
