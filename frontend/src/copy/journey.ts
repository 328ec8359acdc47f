/** The words of My Journey. */
export const journey = {
  title: "My Journey",
  lead: "Everything you’ve made, for as long as you like.",
  search: "Search Journey Items",
  tabs: "My Journey",
  bespoke: "Bespoke Meditations",
  make: "Make a meditation",
  makeTile: ["Make a", "meditation"],
  more: "Show more",
  loading: "Opening your journey",
  found: (n: number, of: number) => `Showing ${n} of ${of}`,
  listening: (title: string) => `Listen to ${title}`,
  states: {
    making: "Being made",
    failed: "Not finished",
    cancelled: "Cancelled",
    refunded: "Refunded",
  },
  ready: "ready",
  failedFact: "No credits used",
  refundedFact: "Your credits are back",
  endedEarly: "Stopped early",
  empty: {
    title: "Nothing made yet",
    text: "Give a moment a title, and you’ll find the meditation we write for it here.",
  },
  none: {
    title: "No results",
    text: "Sorry, there are no items which match your search text. Please try different search text.",
    action: "Clear the search",
  },
} as const;
