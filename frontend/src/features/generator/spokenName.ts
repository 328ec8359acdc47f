/** The longest name that a narrator says, in letters, and how many words it has. */
const MOST_LETTERS = 20;
const MOST_WORDS = 2;

/** Letters of Latin alphabets that are no letter with an accent. */
const WITHOUT_ACCENTS: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ß: "ss",
  ı: "i",
};

/** A word as English can say it: letters of the alphabet, a vowel, and no five consonants in a row. */
const sayable = (word: string): boolean =>
  /^[a-z]+(['-][a-z]+)*$/.test(word) && /[aeiouy]/.test(word) && !/[bcdfghjklmnpqrstvwxz]{5}/.test(word);

/**
 * The first name where a narrator can say it, else "": the rule of the writer
 * (services/generation/internal/script/speak.go), so that the form offers to say no name that is then left out.
 */
export function spokenName(givenName: string | undefined): string {
  const name = givenName?.trim() ?? "";
  const letters = name
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^\0-~]/g, (letter) => WITHOUT_ACCENTS[letter] ?? letter);
  const words = letters.split(/\s+/);
  const said =
    letters.length >= 2 &&
    letters.length <= MOST_LETTERS &&
    words.length <= MOST_WORDS &&
    words.every(sayable);
  return said ? name : "";
}
