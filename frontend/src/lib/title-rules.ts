/** What a meditation's title may be, as the server has it, and what is said of one that it may not. */

/** Longest title, in characters as people count them; the server's limit. */
export const MAX_TITLE = 80;

/** Control characters and the marks that turn the direction of text; a title has no use for them. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const characters = new Intl.Segmenter("en-GB", { granularity: "grapheme" });
const length = (text: string): number => [...characters.segment(text)].length;

/** What is wrong with a title, by the server's reason; "" when nothing is seen from here. */
export function titleFault(title: string): "" | "TITLE_REQUIRED" | "TITLE_TOO_LONG" | "TITLE_INVALID" {
  const text = title.trim();
  if (text === "") return "TITLE_REQUIRED";
  if (length(text) > MAX_TITLE) return "TITLE_TOO_LONG";
  return UNPRINTABLE.test(text) ? "TITLE_INVALID" : "";
}

const TITLE_WORDS: Record<string, string> = {
  TITLE_REQUIRED: "Please give it a title.",
  TITLE_TOO_LONG: `Please keep the title to ${MAX_TITLE} characters.`,
  TITLE_INVALID: "Please use letters, numbers and everyday punctuation.",
  TITLE_PROFANE: "Title must not contain profanities",
};

/** The sentence under the title for one of the server's reasons; "" for a reason that is not about the title. */
export const titleWords = (reason: string): string => TITLE_WORDS[reason] ?? "";
