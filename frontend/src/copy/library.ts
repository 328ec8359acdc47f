/** The words of the Meditation Library. */
export const library = {
  title: "Meditation Library",
  lead: "Narrated with care, never rushed. Begin with the one that looks like your day.",
  courses: "Or take a course, a day at a time",
  kind: "Kind",
  voice: "Voice",
  immersive: "Immersive",
  kinds: {
    open: "About voice and immersive",
    title: "Voice or immersive?",
    text: "Voice is a narrator and silence. Immersive adds a background sound, which you can change or turn down.",
    close: "Close",
  },
  sound: "With",
  none: "None",
  search: "Search the library",
  categories: "Categories",
  // Numbers stand as texts: in a template they are not known yet.
  showing: (n: string, of: string) => `Showing ${n} of ${of}`,
  showAll: "Show all",
  unverified: "Only Non-verified",
  isUnverified: "Not verified",
  narrating: (n: string, of: string) => `${n} of ${of} are being recorded…`,
  minutes: (n: string) => `${n} min`,
  beingNarrated: "Being recorded",
  loading: "Opening the library",
  added: (title: string) => `${title} has been added to your Journey`,
  already: (title: string) => `${title} is already in your Journey`,
  notFound: {
    title: "No results",
    text: "Sorry, there are no items which match your search text. Please try different search text.",
  },
  empty: {
    title: "Nothing here yet",
    text: "The first meditations of this kind are still being made. Please check back soon.",
  },
} as const;
