/** Words of care, and where a person answers. Shown when a title speaks of a crisis; see features/generator/Care. */
export const care = {
  title: "We are glad you wrote that down",
  text: "We have not made a meditation of it, because a person will do you more good than a recording. If life is too heavy, if you might hurt yourself, or if somebody has hurt you, please talk to one of the people below. You need not have the right words, and they will not be shocked.",
  unsure: "If we misunderstood you, change the title and carry on.",
  free: "Nothing was made and nothing was charged.",
  danger: (number: string) => `In danger now? Call ${number}.`,
  dangerElsewhere: "In danger now? Call your local emergency number; in most of Europe it is 112.",
  lines: "People who answer",
  country: "Where are you?",
  elsewhere: "Another country",
  grounding: {
    title: "Two minutes to find your feet",
    text: "A short recording for a hard moment. Eyes stay open, and it is free.",
    play: "Play a short grounding",
    pause: "Pause",
    preparing: "The recording is being prepared. It will be here in a moment.",
    broken: "The recording does not play just now. Its words are below.",
    lines: "What is said",
  },
  back: "Back to the title",
} as const;

/** A way to reach a person: by telephone (`tel:`), text message (`sms:`) or a page (`https:`). */
export interface Helpline {
  name: string;
  /** What one does: "Call 116 123". */
  action: string;
  href: string;
  /** Who it is for, and when it answers. */
  about: string;
}

export interface Country {
  name: string;
  /** The emergency number; "" where it is not known. */
  emergency: string;
  lines: readonly Helpline[];
}

const call = (name: string, number: string, about: string): Helpline => ({
  name,
  action: `Call ${number}`,
  href: `tel:${number.replaceAll(/[\s-]/g, "")}`,
  about,
});
const text = (name: string, word: string, number: string, about: string): Helpline => ({
  name,
  action: word ? `Text ${word} to ${number}` : `Text ${number}`,
  href: `sms:${number.replaceAll(/\s/g, "")}${word ? `?body=${word}` : ""}`,
  about,
});
const visit = (name: string, address: string, about: string): Helpline => ({
  name,
  action: address,
  href: `https://${address}`,
  about,
});

const ANYTIME = "Day or night, free";
const HURT = "When somebody hurts or frightens you";
const ELSEWHERE = visit(
  "Find a Helpline",
  "findahelpline.com",
  "Free lines in more than a hundred countries",
);

/**
 * By ISO 3166 country. Numbers as the organisations publish them; whoever changes one checks its own page:
 * samaritans.org, giveusashout.org, refuge.org.uk, 50808.ie, womensaid.ie, 988lifeline.org, crisistextline.org,
 * thehotline.org, 988.ca, kidshelpphone.ca, lifeline.org.au, 1800respect.org.au, 1737.org.nz, womensrefuge.org.nz.
 */
export const COUNTRIES: Readonly<Record<string, Country>> = {
  GB: {
    name: "United Kingdom",
    emergency: "999",
    lines: [
      call("Samaritans", "116 123", ANYTIME),
      text("Shout", "SHOUT", "85258", ANYTIME),
      call("National Domestic Abuse Helpline", "0808 2000 247", HURT),
    ],
  },
  IE: {
    name: "Ireland",
    emergency: "112",
    lines: [
      call("Samaritans", "116 123", ANYTIME),
      text("Text About It", "HELLO", "50808", ANYTIME),
      call("Women’s Aid", "1800 341 900", HURT),
    ],
  },
  US: {
    name: "United States",
    emergency: "911",
    lines: [
      call("988 Suicide and Crisis Lifeline", "988", ANYTIME),
      text("988 Suicide and Crisis Lifeline", "", "988", ANYTIME),
      call("National Domestic Violence Hotline", "1-800-799-7233", HURT),
    ],
  },
  CA: {
    name: "Canada",
    emergency: "911",
    lines: [
      call("9-8-8 Suicide Crisis Helpline", "988", ANYTIME),
      text("9-8-8 Suicide Crisis Helpline", "", "988", ANYTIME),
    ],
  },
  AU: {
    name: "Australia",
    emergency: "000",
    lines: [call("Lifeline", "13 11 14", ANYTIME), call("1800RESPECT", "1800 737 732", HURT)],
  },
  NZ: {
    name: "New Zealand",
    emergency: "111",
    lines: [
      call("1737", "1737", ANYTIME),
      text("1737", "", "1737", ANYTIME),
      call("Women’s Refuge", "0800 733 843", HURT),
    ],
  },
};

/** Every other country. */
export const OTHER = "other";
const OTHER_COUNTRY: Country = { name: care.elsewhere, emergency: "", lines: [ELSEWHERE] };

export const countryOf = (code: string): Country => COUNTRIES[code] ?? OTHER_COUNTRY;
