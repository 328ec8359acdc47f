import type { TrialOffer } from "@/lib/boot";
import { inWordsFirst } from "@/lib/number-words";

/** The words of the articles, and of one. */
export const articles = {
  lead: "Short reading for restless evenings. Look for the headphones to listen instead.",
  courses: "Or take a course, a day at a time",
  search: "Search articles",
  categories: "Categories",
  clear: "clear filter",
  one: "article",
  many: "articles",
  manyOrMore: "articles or more",
  none: "Sorry, we couldn't find any articles that match your search",
  more: "Show more",
  loading: "Loading articles",
  passOn: "Pass this on",
  all: "View all articles",
  ask: {
    title: "Read the rest, and listen",
    text: (offer: TrialOffer | null) =>
      offer
        ? `Every article, the whole library and ${offer.credits} bespoke credits are open to you. ${inWordsFirst(offer.days)} days, no card, and nothing to cancel.`
        : "Every article, the whole library and your own meditations are open to you in a free trial. No card, and nothing to cancel.",
    join: "Start your free trial",
    signIn: "Sign in",
    member:
      "The rest of this article, and its sound, are part of a membership. Yours doesn’t include them at the moment.",
    memberships: "View Our Memberships",
  },
  listen: {
    label: "Listen to this article",
    title: "Listen instead",
    minute: "minute",
    minutes: "minutes",
    by: (length: string, narrator: string) => `${length}, read by ${narrator}`,
    soon: "It’s being recorded. You can listen here soon.",
  },
} as const;
