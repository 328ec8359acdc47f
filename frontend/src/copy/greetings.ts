import type { TrialOffer } from "@/lib/boot";
import { inWords } from "@/lib/number-words";

/** A word after signing in and out. */
export const greetings = {
  welcome: (name: string) => (name ? `Welcome, ${name}.` : "Welcome."),
  welcomeBack: (name: string) => (name ? `Welcome back, ${name}.` : "Welcome back."),
  trialBegun: (offer: TrialOffer | null) =>
    offer
      ? `Your ${inWords(offer.days)} days and ${inWords(offer.credits)} credits have begun.`
      : "Your trial has begun.",
  signedOut: "You’re signed out.",
  signOutFailed: "We couldn’t sign you out. Please try again.",
} as const;
