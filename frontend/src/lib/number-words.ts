const WORDS =
  "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );

/** "seven" from 7: for headings, whose typeface sets no digits, and for sentences. Above twenty the digits. */
export const inWords = (n: number): string => WORDS[n] ?? String(n);

/** "Seven" */
export const inWordsFirst = (n: number): string => inWords(n).replace(/^./, (c) => c.toUpperCase());
