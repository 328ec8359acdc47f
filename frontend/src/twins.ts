import { rowsOf } from "@/features/apparel/rows";
import { namesHelpline, publishedDate, publishedDay } from "@/features/articles/facts";
import { clean } from "@/lib/clean";
import { formatCount, formatVersion, listeningOf, minutesOf } from "@/lib/format";
import { formatMoney } from "@/lib/money";

/**
 * What the app computes of an answer on the pages that the gateway fills, by the name of the gateway's twin of it
 * (`twins` of gateway/internal/page/twins.go). Both have to say the same, or the app could not take the markup over:
 * twins.json has what they say, and a test on either side holds them to it.
 */
export const TWINS = {
  clean,
  count: formatCount,
  date: publishedDate,
  day: publishedDay,
  helpline: namesHelpline,
  listening: listeningOf,
  minutes: minutesOf,
  money: formatMoney,
  rows: rowsOf,
  version: formatVersion,
} as const;
