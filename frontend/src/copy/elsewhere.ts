/** The words where another of the member's devices plays, or carries on. */
export const elsewhere = {
  title: "Carry on here?",
  playing: (title: string) =>
    `${title ? `“${title}”` : "Something"} is playing on another device. It will pause there if you carry on here.`,
  here: "Carry on here",
  stay: "Leave it there",
  moved: "You’ve carried on somewhere else, so it’s paused here.",
  notKept: "We can’t keep your place at the moment. We’ll try again when you next press play.",
} as const;
