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
interface Way {
  /** What one does: "Call 116 123". */
  action: string;
  href: string;
}

export interface Helpline {
  name: string;
  /** Who it is for, and when it answers. */
  about: string;
  ways: readonly Way[];
}

export interface Country {
  name: string;
  /** The emergency number; "" where it is not known. */
  emergency: string;
  lines: readonly Helpline[];
}

const call = (number: string): Way => ({
  action: `Call ${number}`,
  href: `tel:${number.replaceAll(/[\s-]/g, "")}`,
});
const text = (number: string, word = ""): Way => ({
  action: word ? `Text ${word} to ${number}` : `Text ${number}`,
  href: `sms:${number.replaceAll(/\s/g, "")}${word ? `?body=${word}` : ""}`,
});
const visit = (address: string): Way => ({ action: address, href: `https://${address}` });
const line = (name: string, about: string, ...ways: Way[]): Helpline => ({ name, about, ways });

const ALWAYS = "Day or night";
const ALWAYS_FREE = "Day or night, free";
const HURT = "When somebody hurts or frightens you";
const HURT_WOMEN = "For women whom somebody hurts or frightens";
const ELSEWHERE = line(
  "Find a Helpline",
  "Free lines in more than a hundred countries",
  visit("findahelpline.com"),
);

/**
 * By ISO 3166 country. Each number, keyword and hour was compared on 2026-11-21 with stored copies of the pages named
 * here; none was called, and a copy may be older than the service is now. So before launch, and every six months after
 * it, whoever answers for members' safety opens each live page, calls or texts each line, and writes the new date here.
 *
 * GB  samaritans.org, giveusashout.org, refuge.org.uk (its line is for women in England)
 * IE  Samaritans: press of 2016 and 2019; Text About It: press of 2024 (spunout.ie/text); womensaid.ie; 112 and 999: hse.ie
 * US  988lifeline.org by hospitals' and SAMHSA's pages; thehotline.org by ovc.ojp.gov
 * CA  988.ca by mentalhealthcommission.ca and cmhasaskatoon.ca
 * AU  lifeline.org.au by its branches (free from mobiles alone) and its text line by press of 2022; 1800respect.org.au by
 *     press of 2024
 * NZ  1737.org.nz by beehive.govt.nz's statement of 2017 and pegasus.health.nz; womensrefuge.org.nz
 * Everywhere else: findahelpline.com, 130 countries by lifeline-international.com
 */
export const COUNTRIES: Readonly<Record<string, Country>> = {
  GB: {
    name: "United Kingdom",
    emergency: "999",
    lines: [
      line("Samaritans", ALWAYS_FREE, call("116 123")),
      line("Shout", ALWAYS_FREE, text("85258", "SHOUT")),
      line("National Domestic Abuse Helpline", `${HURT_WOMEN}; day or night, free`, call("0808 2000 247")),
    ],
  },
  IE: {
    name: "Ireland",
    emergency: "112",
    lines: [
      line("Samaritans", ALWAYS_FREE, call("116 123")),
      line("Text About It", ALWAYS_FREE, text("50808", "HELLO")),
      line("Women’s Aid", `${HURT_WOMEN}; day or night, free`, call("1800 341 900")),
    ],
  },
  US: {
    name: "United States",
    emergency: "911",
    lines: [
      line("988 Suicide and Crisis Lifeline", ALWAYS_FREE, call("988"), text("988")),
      line("National Domestic Violence Hotline", `${HURT}; day or night, free`, call("1-800-799-7233")),
    ],
  },
  CA: {
    name: "Canada",
    emergency: "911",
    lines: [line("9-8-8 Suicide Crisis Helpline", ALWAYS_FREE, call("988"), text("988"))],
  },
  AU: {
    name: "Australia",
    emergency: "000",
    lines: [
      line("Lifeline", `${ALWAYS}; calls are free from mobiles`, call("13 11 14"), text("0477 13 11 14")),
      line("1800RESPECT", `${HURT}; day or night`, call("1800 737 732")),
    ],
  },
  NZ: {
    name: "New Zealand",
    emergency: "111",
    lines: [
      line("1737", ALWAYS_FREE, call("1737"), text("1737")),
      line("Women’s Refuge", `${HURT_WOMEN}; day or night, free`, call("0800 733 843")),
    ],
  },
};

/** Every other country. */
export const OTHER = "other";
const OTHER_COUNTRY: Country = { name: care.elsewhere, emergency: "", lines: [ELSEWHERE] };

export const countryOf = (code: string): Country => COUNTRIES[code] ?? OTHER_COUNTRY;
