/** Where the words of care come from: the title speaks of a crisis, or somebody opened them by hand. */
export type CareCause = "title" | "hand";

const TALK =
  "If life is too heavy, if you might hurt yourself, or if someone has hurt you, please talk to one of the people below. You don’t need to find the right words, and they won’t be shocked.";

/** Words of care, and where a person answers. See features/generator/Care. */
export const care = {
  /** The quiet line under the title, which opens them. */
  quiet: "Having a hard time? Talk to someone.",
  title: { title: "We’re glad you wrote that down", hand: "There are people you can talk to" },
  text: {
    title: `We haven’t made a meditation from it, because a person can help you more than a recording can. ${TALK}`,
    hand: TALK,
  },
  /** Under it all. */
  end: {
    title:
      "Nothing was made and nothing was charged. If we misunderstood you, change the title and carry on.",
    hand: "",
  },
  danger: (number: string) => `In danger now? Call ${number}.`,
  dangerElsewhere: "In danger now? Call your local emergency number; in most of Europe it is 112.",
  lines: "People you can talk to",
  country: "Where are you?",
  elsewhere: "Another country",
  grounding: {
    title: "Two minutes to find your feet",
    text: "A short recording for a hard moment. You keep your eyes open, and it’s free.",
    play: "Play a short grounding",
    pause: "Pause",
    away: "The recording isn’t here yet; we’re still trying. Its words are below.",
    over: "The recording hasn’t come. Its words are below; load the page again to try once more.",
    broken: "The recording won’t play. Its words are below.",
    lines: "What is said",
    /** As they are spoken, for when no recording can be fetched: services/generation/internal/shared/grounding.txt. */
    words: [
      "I am glad you are here.",
      "Keep your eyes open, if you can, and let them rest on something near you.",
      "Put both feet on the floor, or let whatever is holding you take your weight.",
      "Press down a little, and feel it press back.",
      "Now look around you, slowly.",
      "Find five things that you can see, plain ones, a handle, a corner, a cup, and name each to yourself.",
      "Let one hand find something to touch, a sleeve, a chair, the edge of a table.",
      "Is it rough or smooth, cool or warm?",
      "Listen for three sounds, and let one of them be outside this room.",
      "If you like, say out loud where you are, and what day it is.",
      "You do not have to carry this by yourself.",
      "Please tell one person how things are, somebody you trust, or somebody on a helpline.",
      "The numbers are on this page.",
      "If you are in danger, or cannot keep yourself safe, call for help now.",
      "You can go on looking around for as long as you like, and you can play this again.",
    ],
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
const HURT = "When someone hurts or frightens you";
const HURT_WOMEN = "For women when someone hurts or frightens them";
const ELSEWHERE = [
  line(
    "Find a Helpline",
    `Free lines in more than a hundred countries; also ${HURT.toLowerCase()}`,
    visit("findahelpline.com"),
  ),
  line("Samaritans", "In the United Kingdom and Ireland; day or night, free", call("116 123")),
];

/**
 * By ISO 3166 country. Each number, keyword and hour was compared on 2026-11-21 with stored copies of the pages named
 * here; none was called, and a copy may be older than the service is now. So before launch, and every six months after
 * it, whoever answers for members' safety opens each live page, calls or texts each line, and writes the new date here.
 *
 * GB  samaritans.org, giveusashout.org, refuge.org.uk (its line is for women in England)
 * IE  Samaritans: press of 2016 and 2019; Text About It: press of 2024 (spunout.ie/text); womensaid.ie; 112 and 999: hse.ie
 * US  988 by CDCR, WebMD and similar pages, not the organisation's own; thehotline.org by ovc.ojp.gov
 * CA  988.ca by mentalhealthcommission.ca and cmhasaskatoon.ca; sheltersafe.ca, whose map gives each shelter's own line
 * AU  lifeline.org.au by its branches (free from mobiles alone) and its text line by press of 2022; 1800respect.org.au by
 *     press of 2024
 * NZ  1737.org.nz by beehive.govt.nz's statement of 2017 and pegasus.health.nz; womensrefuge.org.nz
 * Everywhere else: findahelpline.com, 130 countries by lifeline-international.com, abuse among its topics; and Samaritans,
 * for whoever is in the United Kingdom or Ireland with a browser that says otherwise
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
    lines: [
      line("9-8-8 Suicide Crisis Helpline", ALWAYS_FREE, call("988"), text("988")),
      line(
        "ShelterSafe",
        `${HURT_WOMEN}; the lines of the shelters near you, most day or night`,
        visit("sheltersafe.ca"),
      ),
    ],
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
const OTHER_COUNTRY: Country = { name: care.elsewhere, emergency: "", lines: ELSEWHERE };

export const countryOf = (code: string): Country => COUNTRIES[code] ?? OTHER_COUNTRY;
