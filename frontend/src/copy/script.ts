/** The words around a script that is read before it is narrated. */
export const script = {
  /** Beside Generate. */
  first: {
    action: "Read it first",
    writing: "Writing",
    text: "See the words before they’re spoken, and change what you like. Reading is free.",
  },
  /** In the generator: scripts that wait. */
  waiting: {
    text: "Waiting to be read:",
    open: (title: string) => `“${title}”`,
  },
  loading: "Opening your script",
  lead: "These are the words, before they’re spoken. Press a line to change it. You’re only charged once it’s narrated and ready.",
  facts: (parts: readonly string[]) => parts.filter(Boolean).join(", "),
  narrator: (name: string) => (name ? `narrated by ${name}` : ""),
  kept: "We keep this script for a day. You can leave, and come back to it from the generator.",
  words: (n: number, least: number, most: number) =>
    `${n} ${n === 1 ? "word" : "words"}; this size has ${least} to ${most}`,
  pause: (seconds: string, one: boolean) => `Pause, ${seconds} ${one ? "second" : "seconds"}`,
  passage: (n: number) => `Passage ${n}`,
  line: (n: number) => `Line ${n}`,
  edited: "Yours",
  dropped: "Left out",
  edit: "Edit",
  save: "Save",
  close: "Close",
  another: "Another line",
  leaveOut: "Leave it out",
  takeBack: "Take it back",
  original: "Put our line back",
  said: {
    saved: "Saved.",
    dropped: "Left out.",
    back: "Taken back.",
    another: "Here’s another line.",
  },
  spent: "That was our last new line for this script. You can still write your own.",
  problems: "Before it can be narrated",
  toLine: (n: number) => `Go to line ${n}`,
  narrate: "Narrate it",
  sending: "Sending",
  over: {
    action: "Start over",
    ask: "Let this script go? Your changes go with it.",
    yes: "Let it go",
    no: "Keep it",
  },
  gone: {
    title: "This script isn’t here any more",
    text: "It may have been narrated, or its day is over. You can write another.",
    action: "Go to the generator",
  },
} as const;
