/** The pages that are only words. A section is a heading and its paragraphs. */
export interface Prose {
  lead: string;
  /** The day since when a legal text stands as it does (YYYY-MM-DD): what a member agreed to is kept by it. */
  version?: string;
  sections: readonly { title: string; text: readonly string[] }[];
}

export const prose = { from: "As of" } as const;

/** Where members write to. */
export const MAILBOX = "connect@serein.app";

export const about: Prose = {
  lead: "Serein makes guided meditations to measure: for the day you are having, at the length you have time for.",
  sections: [
    {
      title: "The name",
      text: [
        "A serein is the fine rain that falls from a clear sky just after sunset. Nobody plans for it. It is there, it is gentle, and then it is over. We thought a good ten minutes could be like that.",
      ],
    },
    {
      title: "How a meditation is made",
      text: [
        "You give it a title and say what kind of quiet you are looking for. We write a new script for it, passage by passage, with real silences between them, and a narrator reads it to you. It begins to play while the rest is still being made.",
        "Every script is new. The same title tomorrow becomes another meditation.",
      ],
    },
    {
      title: "What you will not find here",
      text: [
        "No streaks to keep, no scores, no reminders that make you feel late. Nothing here counts your days.",
        "Serein is not a medical service and replaces none. If you are not well, please speak to somebody who can help; in a crisis in the UK, Samaritans answer free on 116 123 at any hour.",
      ],
    },
  ],
};

export const contact = {
  lead: "A question, a fault, a kind word: one of us reads it, and answers within two working days.",
  write: "Write to us",
  help: "If you are not well",
  helpText:
    "We are not able to help in a crisis. In the UK, Samaritans answer free on 116 123 at any hour; in an emergency call 999. Elsewhere, findahelpline.com knows whom to call.",
} as const;
