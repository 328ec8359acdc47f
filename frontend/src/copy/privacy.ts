import type { Prose } from "./prose";

/** Change the version with the text: texts.test.ts holds both together. */
export const privacy = {
  version: "2026-11-22",
  lead: "What we keep about you, why, and for how long. We keep little, and we sell none of it.",
  sections: [
    {
      title: "What we keep",
      text: [
        "Your account: username, email address, first and family name, and your password in a form that cannot be turned back.",
        "What you agreed to: that you are 16 or over, these texts in the version you were shown, and your answers on essentials, analytics and marketing, each with its time. An answer you change is added and the earlier one stays, so that both sides can show what held when.",
        "Your meditations: the titles and choices you made, the scripts and recordings made from them, and a record of every credit given or spent.",
        "A fingerprint of your mailbox, so that one mailbox has one free trial. It is made with a secret key, stands beside a date and nothing else, and cannot be turned back into your address.",
        "A technical record of requests, with network addresses, to keep the service running. And a security log: who signed in, which tries failed, what was refused. It knows you by your account’s number; the name that was typed and the network address stand in it as fingerprints alone.",
      ],
    },
    {
      title: "Why we may",
      text: [
        "Because you asked for the service and we need these to give it to you; and because we have a legitimate interest in keeping it safe. Counting how the service is used, and writing to you about what is new, we do only if you have said yes, and no longer than that. We use no advertising and follow nobody across the web.",
      ],
    },
    {
      title: "What you may choose",
      text: [
        "Essentials are what the service cannot do without: your account, signing in, your meditations and credits. Analytics would let us count which pages and steps are used. Marketing would let us write to you about new things. The last two are off until you switch them on, and you can change them at any hour in the Members Area.",
      ],
    },
    {
      title: "Cookies and storage",
      text: [
        "We set only the cookies that the service needs. One on our site and one where you sign in keep you signed in, and are gone when you sign out; two more hold a sign-in together, one for 15 minutes and one until you close your browser. One lasts three seconds and says that this browser has just changed something, so that you see it at once.",
        "And one tells the place where you sign in that this browser is known there, so that a stranger who guesses at your password cannot keep you out. It stays for 180 days after you last signed in, also when you sign out; clear it whenever you like.",
        "Your browser also remembers the appearance you chose and whether pictures hold still and, until you close it, that you confirmed your age and entered the site, and what you have begun to write in a form, never a password. Nothing is stored for analytics or marketing today.",
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
        "As long as you have an account. The recording and the script of a meditation you delete are kept for a while, so that you can have it back; how long is said where you delete it.",
        "Letters we sent you and technical records, the security log among them, are kept for 30 days. The record of credits stays for six years, as the law asks of accounts. The fingerprint of a mailbox that has had its trial stays for as long as we give trials, also when the account is gone.",
      ],
    },
    {
      title: "Your rights",
      text: [
        "You may see what we keep, have it corrected or deleted, take it with you, and object. Write to us and we answer within a month. If we do not put it right, you may complain to the Information Commissioner’s Office in the UK.",
      ],
    },
  ],
} as const satisfies Prose;
