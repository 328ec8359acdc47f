/** The words of the generator: the form, the making and the result. */
export const generator = {
  title: "Make a meditation",
  lead: "Tell us a little. You’ll hear the first words in seconds, while the rest is still being recorded.",
  loading: "Opening the generator",
  q: {
    title: "Title",
    titleHint: "A few words about the moment. We write your meditation around them. For instance:",
    examples: "Examples",
    exampleTitles: ["After the long meeting", "Before the first train", "Not counting the hours"],
    size: "Meditation Size",
    type: "Meditation Type",
    practice: "Practice Type",
    immersive: "Immersive sound",
    ambience: "Ambient sound",
    hear: (track: string) =>
      track ? `Hear a minute with ${track}` : "Hear a minute of the voice on its own",
    unhear: "Pause the minute",
    voiceOnly: "Just the voice. Switch on to add a background sound.",
    narrator: "Narrator",
    learnMore: "Learn more",
    learnSizes: "Learn more about sizes",
    learnPractices: "Learn more about practices",
  },
  narrators: {
    /** What a narrator is chosen for: a type, or immersive sound. */
    preset: (name: string, what: string) => (name ? `${name}, chosen for ${what}` : `Chosen for ${what}`),
    immersive: "immersive sound",
    chosen: (name: string) => (name ? `${name}, chosen by you` : "Chosen by you"),
    open: "Hear and choose",
    close: "Close the list",
    hear: (name: string) => `Hear ${name}`,
    unhear: (name: string) => `Pause ${name}`,
    /** Those who get a link hear the name as well. */
    firstName: (name: string) =>
      `Say “${name}” once, in the greeting. If you share this meditation, others hear it too`,
    loading: "Fetching the other voices",
    away: "The other voices aren’t here yet. We’re still trying.",
    over: "We couldn’t fetch the other voices. Please try again later.",
  },
  tips: {
    sizes: "How long is each size?",
    minutes: "The minutes shown are worked out from words, pace and pauses.",
    practices: "Which practice?",
    practicesText:
      "Each has its own way of paying attention. If you’re new to this, Secular Mindfulness is a gentle place to begin.",
  },
  generate: "Generate",
  sending: "Sending",
  visitor: {
    action: "Create your account",
    text: "Create an account to make this one. We’ll keep your answers here.",
    /** What a newcomer gets for nothing. */
    offer: (days: string, credits: string) => `The first ${days}, with ${credits}, are free.`,
    have: "I have an account",
  },
  voiceOnlyWorks: "You have one credit left. It’s enough without immersive sound.",
  creditsLink: "Top up credits",
  charged: "You’re only charged once it’s ready.",
  edition: {
    label: "Your edition",
    untitled: "Untitled",
    for: (name: string, date: string) => (name ? `For ${name}, ${date}` : date),
    note: "Your cover is drawn from your title.",
  },
  running: {
    text: (title: string) => `“${title}” is being made now.`,
    action: "Go to it",
  },
  making: {
    head: (narrator: string) =>
      narrator ? `Making your meditation, narrated by ${narrator}` : "Making your meditation",
    opening: "Opening your meditation",
    stages: "Stages",
    first: "We’re choosing your words. The first ones will be here in a moment.",
    readyOf: (ready: string, all: string) => `${ready} ready of about ${all}`,
    leave: "You can leave this page. You’ll find it in My Journey.",
    lost: "Connection lost. Reconnecting; your meditation is still being made.",
    offline: "You’re offline. Your meditation is still being made, and what has arrived keeps playing.",
    cancel: "Cancel",
    listen: "Listen",
    states: {
      playing: "Playing",
      paused: "Paused",
      waiting: "Starting…",
      blocked: "Press play to begin",
      ended: "That’s all so far",
    },
  },
  cancelled: (credits: string, many: boolean) =>
    `Cancelled. Your ${credits} ${many ? "are" : "is"} back with you.`,
  cancelling: {
    title: "Cancel this meditation?",
    nothing: "None of it has reached you yet, so this is free.",
    free: "Less than a quarter of it has reached you, so this is free. You won’t keep any of it.",
    back: (credits: string, many: boolean) => `Your ${credits} ${many ? "come" : "comes"} back.`,
    left: (after: number) =>
      after === 0
        ? "It’s your last free cancellation in 24 hours."
        : `Afterwards you can cancel ${after} more for free in these 24 hours.`,
    quarter: "A quarter of it or more has reached you.",
    noneLeft: "You’ve used your free cancellations for the last 24 hours.",
    due: (credits: string) =>
      `If you stop now it still costs ${credits}. You keep what has been recorded, as a shorter meditation.`,
    changed: "More of it has been recorded since. This is what cancelling means now:",
    over: "It’s nearly finished, and will be ready in a moment.",
    confirm: "Cancel it",
    pay: (credits: string) => `Stop it for ${credits}`,
    keep: "Keep making it",
    close: "OK",
  },
  notCancelled: "We couldn’t cancel it. Please try again.",
  wasCancelled: "This one was cancelled. You weren’t charged, and we’ve kept your answers.",
  /** Stands after the server's sentence, which says that no credits were used. */
  failed: "Your answers are kept.",
  failedPlain: "We couldn’t finish this one. You weren’t charged.",
  sendFailed: "You weren’t charged, and we’ve kept your answers.",
  /** No answer came, so nobody here knows. */
  sendUnsure: "We’ve kept your answers. If it went through after all, it’s in My Journey.",
  made: {
    head: "Your bespoke meditation",
    with: (length: string, track: string) => (track ? `${length}, with ${track}` : length),
    by: (narrator: string, practice: string) => `Narrated by ${narrator}. Practice: ${practice}.`,
    for: (name: string) => (name ? `For ${name}` : "For you"),
    savedTo: "Saved to ",
    savedLink: "Bespoke Meditations in My Journey",
    used: (credits: string, many: boolean) => `${credits} ${many ? "were" : "was"} used`,
    left: (credits: string) => `you have ${credits} left`,
    open: "Open the player",
    another: "Make another",
    read: "Read the script",
    announce: "Your meditation is ready.",
    endedEarly: "You stopped it here, so it’s shorter than planned.",
  },
  gone: {
    title: "We can’t find that meditation",
    message: "It may have been removed, or the address isn’t quite right.",
    action: "Make a meditation",
  },
} as const;
