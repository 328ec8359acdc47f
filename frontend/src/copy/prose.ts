/** The pages that are only words. A section is a heading and its paragraphs. */
export interface Prose {
  lead: string;
  sections: readonly { title: string; text: readonly string[] }[];
}

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

export const terms: Prose = {
  lead: "These are the rules between you and Serein. We have kept them short, so that they can be read.",
  sections: [
    {
      title: "Who may use Serein",
      text: [
        "Serein is for people aged 16 and over. By creating an account you confirm that you are.",
        "One account is for one person. Keep your password to yourself, and tell us if you think somebody else has it.",
      ],
    },
    {
      title: "The free trial",
      text: [
        "A trial lasts 7 days from the moment you confirm your account and holds 8 meditation credits. It needs no card, costs nothing and ends by itself. Each person has one trial.",
      ],
    },
    {
      title: "Credits",
      text: [
        "A voice-only meditation costs 1 credit, an immersive one 2. Credits are set aside when you press Generate and spent when the meditation is ready. If it cannot be made, or you cancel it before it is ready, they come back to you.",
        "Credits have no value in money and cannot be passed to anybody else.",
      ],
    },
    {
      title: "What you write, and what we make from it",
      text: [
        "The title you give is yours. You may listen to the meditations made for you as often as you like, and share them privately; please do not sell them or present them as your own recordings.",
        "Titles must not insult, threaten or expose anybody. We may refuse a title, and close an account that keeps trying.",
      ],
    },
    {
      title: "Not a medical service",
      text: [
        "Meditations can help people rest. They are not treatment, and nothing here is medical advice. Do not listen while driving or doing anything that needs your attention. If you are in treatment, ask those who treat you whether meditation suits you now.",
      ],
    },
    {
      title: "What we promise, and what we cannot",
      text: [
        "We take care that Serein works, and that what you have made stays yours. We cannot promise that it is never interrupted. Nothing in these terms limits rights that the law gives you as a consumer, or our liability where the law does not allow it to be limited.",
      ],
    },
    {
      title: "Ending it, and changes",
      text: [
        "You may stop using Serein at any time, and ask us to delete your account. If we change these terms in a way that matters, we tell you by email before it applies. These terms follow the law of England and Wales.",
      ],
    },
  ],
};

export const privacy: Prose = {
  lead: "What we keep about you, why, and for how long. We keep little, and we sell none of it.",
  sections: [
    {
      title: "What we keep",
      text: [
        "Your account: username, email address, first and family name, and your password in a form that cannot be turned back. When you confirmed that you are 16 or over.",
        "Your meditations: the titles and choices you made, the scripts and recordings made from them, and a record of every credit given or spent.",
        "A technical record of requests, with addresses, to keep the service running and safe.",
      ],
    },
    {
      title: "Why we may",
      text: [
        "Because you asked for the service and we need these to give it to you; and because we have a legitimate interest in keeping it safe. We use no advertising and follow nobody across the web.",
      ],
    },
    {
      title: "Cookies and storage",
      text: [
        "One cookie keeps you signed in; it is gone when you sign out. Your browser also remembers the appearance you chose and, until you close it, that you confirmed your age and entered the site. Nothing else is stored, so there is nothing to accept or decline.",
      ],
    },
    {
      title: "Who else sees it",
      text: [
        "Those who run our servers and send our mail, on our instructions and under contract. Where a narrator or a writer outside our own machines is used, it receives the title and the choices of that meditation and not your name or address. Authorities only where the law compels us.",
      ],
    },
    {
      title: "How long",
      text: [
        "As long as you have an account. A meditation you delete can be recovered for 14 days; then its script and its recording are removed. Technical records are kept for 30 days.",
      ],
    },
    {
      title: "Your rights",
      text: [
        "You may see what we keep, have it corrected or deleted, take it with you, and object. Write to us and we answer within a month. If we do not put it right, you may complain to the Information Commissioner’s Office in the UK.",
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
