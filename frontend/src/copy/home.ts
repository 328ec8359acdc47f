import type { TrialOffer } from "@/lib/boot";
import { inWordsFirst } from "@/lib/number-words";

/** The words of the home page and its veil. */
export const home = {
  veil: { label: "Welcome", enter: "Click to enter" },
  title: ["Quiet, made", "to measure"],
  lead: "Meditations written and narrated for the day you are actually having, and a calm place to keep the ones that help.",
  start: "Start your free trial",
  make: "Make a meditation",
  look: "See how it works",
  listenFirst: "Listen first",
  still: "Hold the picture still",
  move: "Let the picture move",
  entry: {
    word: "serein",
    text: "noun, from the French. The fine rain that falls from a clear sky just after sunset.",
  },
  mission: {
    label: "Our mission",
    title: "Ten quiet minutes should be easy to find, in words that fit, on an ordinary day.",
    text: "Serein writes a meditation for the moment you’re in, and starts reading it to you while the rest is still being made. No streaks, no scores. Come back whenever you like. It will be here.",
  },
  listen: {
    label: "Listen first",
    title: "The lake after rain",
    text: "One minute to try: a voice, rain and real silence. Yours will be written for your own moment.",
    play: "Play the minute",
    pause: "Pause",
    words: "Read the words",
  },
  begin: {
    title: "Begin Your Journey",
    all: "View all articles",
    loading: "Loading meditations",
    immersive: "Immersive",
    voice: "Voice only",
    /** The length of a meditation. */
    minutes: (n: string) => `${n} min`,
  },
  quote: "Quote of the Day",
  features: {
    title: "Our Digital Meditation Product",
    articles: {
      title: "Articles",
      text: "Short, well-made reading on sleep, worry, love and work. You can listen to every piece.",
      go: "Read something",
      sample: "Rest is not a reward",
      opening: "You were never meant to earn it. Sleep comes to the tired and the untidy alike.",
    },
    bespoke: {
      title: "Bespoke Meditations",
      text: "Say what the moment is. We write it, narrate it and begin playing while the rest is still being made.",
      go: "Make one",
      says: "“Let the shoulders hear that the day is over.”",
    },
    journey: {
      title: "My Journey",
      text: "Everything you’ve made, in one quiet place. Nothing counts your days.",
      go: "Open your Journey",
    },
  },
  join: {
    title: (offer: TrialOffer | null) =>
      offer ? `${inWordsFirst(offer.days)} evenings, on us` : "A free trial, on us",
    text: (offer: TrialOffer | null) =>
      `A free trial${offer ? ` with ${offer.credits} meditation credits` : ""}. No card, and nothing to cancel.`,
    go: "Start your free trial",
    memberships: "View Our Memberships",
  },
} as const;
