import { formatNumber } from "@/lib/format";

/** Up to here the service counts. */
const COUNTED = 1000;

/** "12", "1,000+" */
const count = (n: number): string => formatNumber(n) + (n >= COUNTED ? "+" : "");

const kinds = { bespoke: "Bespoke Meditations", articles: "Articles", meditations: "Meditations" };

/** The words of the site's search. */
export const search = {
  title: "Search",
  label: "Type to find content",
  clear: "Clear",
  tabs: "Results",
  kinds,
  count,
  recent: "Recent",
  categories: "Begin with a category",
  orCategories: "Or begin with a category",
  filedIn: (category: string) => `Filed in ${category}.`,
  anywhere: "Search everywhere",
  loading: "Searching",
  found: (bespoke: number, articles: number, meditations: number, courses: number) =>
    `${kinds.bespoke}: ${count(bespoke)}. ${kinds.articles}: ${count(articles)}. ${kinds.meditations}: ${count(meditations)}.${courses > 0 ? ` Courses: ${courses}.` : ""}`,
  more: "Show more",
  none: {
    title: "No results",
    text: "Sorry, there are no items which match your search text. Please try different search text.",
    make: "Make one about it",
  },
  immersive: "immersive",
  minutes: (n: number) => `${n} min`,
  toHear: (n: number) => `${n} min to hear`,
  notIncluded: "Your plan doesn’t include the library. View Our Memberships",
  keys: { move: "to move", enter: "to open", close: "to close" },
} as const;
