import type { Prose } from "./prose";

/** Change the version with the text: texts.test.ts holds both together. */
export const terms = {
  version: "2026-11-21",
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
        "A trial begins when you first sign in. How many days it lasts and how many meditation credits it holds is said where you sign up. It needs no card, costs nothing and ends by itself. Each person has one trial.",
      ],
    },
    {
      title: "Credits",
      text: [
        "A voice-only meditation costs 1 credit, an immersive one 2. Credits are set aside when you press Generate and spent when the meditation is ready. If it cannot be made, they come back to you; if you cancel it, we say beforehand whether they do.",
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
} as const satisfies Prose;
