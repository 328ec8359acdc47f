/** The words of My Journey. */
export const journey = {
  title: "My Journey",
  lead: "What you have made and kept. It waits as long as you like.",
  search: "Search Journey Items",
  tabs: "My Journey",
  bespoke: "Bespoke Meditations",
  make: "Make a meditation",
  makeTile: ["Make one", "for now"],
  more: "Show more",
  loading: "Opening your journey",
  found: (n: number, of: number) => `Showing ${n} of ${of}`,
  listening: (title: string) => `Listen to ${title}`,
  states: {
    making: "Being made",
    failed: "Not finished",
    cancelled: "Cancelled",
    refunded: "Lost and refunded",
  },
  ready: "ready",
  failedFact: "No credits taken",
  refundedFact: "Your credits are back",
  endedEarly: "Stopped early",
  empty: {
    title: "Nothing made yet",
    text: "Give a moment a title, and a meditation written for it will be kept here.",
  },
  none: {
    title: "Nothing by that name",
    text: "Sorry, there are no items which match your search text. Please try different search text.",
    action: "Clear the search",
  },
} as const;
