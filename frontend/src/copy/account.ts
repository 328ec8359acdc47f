import type { TrialOffer } from "@/lib/boot";
import { inWords, inWordsFirst } from "@/lib/number-words";

/** The words of the sign-up panel. The messages in quotes of the specification stand unchanged. */
export const account = {
  create: {
    step: "Account",
    title: "Create Account",
    lead: (offer: TrialOffer | null) =>
      offer
        ? `${inWordsFirst(offer.days)} days, ${offer.credits} credits, no card.`
        : "A free trial, no card.",
    invited: (offer: TrialOffer | null) =>
      offer
        ? `A friend has invited you: ${inWords(offer.invitedDays)} days, ${offer.credits} credits, no card.`
        : "A friend has invited you: a longer free trial, no card.",
    notInvited: (offer: TrialOffer | null) =>
      offer
        ? `You can’t use this invitation here; you get the usual ${inWords(offer.days)} days, with ${offer.credits} credits and no card.`
        : "You can’t use this invitation here; you get the usual free trial, no card.",
    forPlan: (name: string) =>
      `You chose ${name}. Once you’re signed in, you can pay for it; your free trial runs until then.`,
    notSold: "The membership in this link isn’t sold here; you’ll start with the usual free trial instead.",
    firstName: "First Name",
    familyName: "Family Name",
    email: "Email",
    username: "Username",
    password: "Password",
    usernameHint: (min: number, max: number) => `${min}–${max} letters or numbers. You can also use . - _`,
    faults: (n: number) => `${inWordsFirst(n)} answers need checking:`,
    age: "I am 16 or over",
    legal: "Serein is for people aged 16 and over. By creating an account you accept the ",
    legalLink: "terms and conditions",
    submit: "Create Account",
    already: "Already a member?",
    signIn: "Sign in",
    art: "Free to try. No card needed.",
  },
  confirm: {
    step: "Confirm",
    title: "Confirm Account",
    account: "Account",
    check: "Check your email for the confirmation code.",
    sentTo: (email: string) => (email ? `We sent it to ${email}.` : "Can’t find it? Send a new one."),
    heldBack:
      "We’ve already sent several emails to this address today, so this code hasn’t gone out yet. Press “Send a new code” below.",
    code: "Confirmation Code",
    codeHint: "Six digits. It works for 10 minutes.",
    submit: "Confirm Account",
    resend: "Send a new code",
    resendIn: (seconds: number) => `Send a new code in ${seconds} s`,
    resent: "A new code is on its way. The old one no longer works.",
    other: "Use another email",
    already: "Already confirmed?",
  },
  done: {
    now: "Signup successful! You can log in now.",
    logging: "Logging you in",
    text: "Account confirmed. Enter your password in the new window to finish.",
    again: "Open the sign-in page",
  },
  door: {
    title: "Welcome back",
    text: "The sign-in page opens in a small window. This page never sees your password.",
    signIn: "Sign in",
    signUp: "Create Account",
  },
  ended: {
    title: "You’re signed out",
    text: "Your session has ended. Sign in again to carry on; nothing is lost.",
    signIn: "Sign in",
    later: "Not now",
  },
  membersOnly: {
    title: "Please sign in",
    text: "That page is for members. Please sign in to see it.",
  },
  missing: {
    username: "Please choose a username.",
    email: "Please enter your email address.",
    givenName: "Please enter your first name.",
    familyName: "Please enter your family name.",
    password: "Please choose a password.",
    ageConfirmed: "Please confirm that you are 16 or over.",
    code: "Please enter the code from the email.",
    yourUsername: "Please enter the username you signed up with.",
  },
  emailShape: "That email looks unfinished. Check the part after the @.",
  usernameShape:
    "A username can have letters, numbers, dots, dashes and underscores, and starts with a letter or a number.",
  short: (what: string) => (min: number) => `${what} has at least ${min} characters.`,
  long: (what: string) => (max: number) => `${what} has at most ${max} characters.`,
  aUsername: "A username",
  aPassword: "A password",
  aName: "A name",
  anEmail: "An email",
  signupFailed: "Signup failed.",
  confirmFailed: "Confirmation failed.",
} as const;
