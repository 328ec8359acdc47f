/** The words of My Journey. */
export const journey = {
  title: "My Journey",
  lead: "Everything you’ve made and kept, for as long as you like.",
  /** Leads to what is kept on this device. */
  kept: "Kept on this device",
  search: "Search Journey Items",
  diary: "Your listening diary",
  tabs: "My Journey",
  timer: "Timer and breath",
  reminders: "Reminders in your calendar",
  introduction: "Introduction Meditations",
  bespoke: "Bespoke Meditations",
  library: "Library Meditations",
  articles: "My Articles",
  deleted: "Recently Deleted",
  keptFor: "Kept for two weeks, in case.",
  make: "Make a meditation",
  makeTile: ["Make a", "meditation"],
  more: "Show more",
  loading: "Opening your journey",
  found: (n: number) => `${n} found`,
  openLibrary: "Open the library",
  listening: (title: string) => `Listen to ${title}`,
  states: {
    making: "Being made",
    failed: "Not finished",
    cancelled: "Cancelled",
    refunded: "Refunded",
    deleted: "Deleted",
  },
  ready: "ready",
  failedFact: "No credits used",
  refundedFact: "Your credits are back",
  endedEarly: "Stopped early",
  empty: {
    title: "Nothing made yet",
    text: "Give a moment a title, and you’ll find the meditation we write for it here.",
  },
  nothingDeleted: {
    title: "Nothing here",
    text: "When you delete a meditation of yours, you can bring it back from here for two weeks.",
  },
  nothingSaved: {
    title: "Nothing kept here yet",
    introduction:
      "The introduction meditations are a gentle place to begin. Save one, and it will be here when you want it again.",
    library: "When a meditation does you good, save it, and it will be here on the days you want it again.",
    articles:
      "When a piece of writing stays with you, save it, and it will be here on the days you want it again.",
    read: "Find something to read",
  },
  none: {
    title: "No results",
    text: "Sorry, there are no items which match your search text. Please try different search text.",
    action: "Clear the search",
  },
} as const;
