import { formatCount, formatNumber } from "@/lib/format";
import { inWords, inWordsFirst } from "@/lib/number-words";

const credits = (n: number): string => formatCount(n, "credit", "credits");

/** "The library, the articles and 20 new credits" */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  const all = [parts.slice(0, -1).join(", "), last].filter(Boolean).join(" and ");
  return all.replace(/^./, (c) => c.toUpperCase());
}

/** The words of the Members Area. */
export const members = {
  loading: "Opening the Members Area",
  lead: "Your plan, credits and details.",
  trial: {
    title: "Your free trial",
    until: (day: string, time: string) => `You can use everything until ${day} at ${time}.`,
    over: "Your trial has ended; each person gets one. You keep what you’ve made.",
    nothing: "You won’t be charged when it ends.",
    choose: "Choose a membership",
    preparing: "We’re setting up your trial. It takes a moment.",
  },
  grace: {
    title: "Your last payment didn’t go through",
    failed: (price: string, day: string, last4: string) =>
      [price, day && `on ${day}`, last4 && `with the card ending ${last4}`].filter(Boolean).join(" "),
    open: (day: string) => `You keep access until ${day}`,
    again: (day: string) => `, and we’ll try again on ${day}`,
    safe: "We won’t delete anything, whatever happens.",
  },
  given: {
    taking: "Thank you. We’re checking your new card.",
    charged: (plan: string, last4: string) => `${plan} is paid with the card ending ${last4}.`,
    declined: (last4: string, day: string) =>
      `The card ending ${last4} was declined. You keep access until ${day}, and you can use another card.`,
    unknown:
      "We don’t know yet whether your card works. You can’t be charged twice; check again in a minute.",
  },
  cancelling: {
    title: (day: string) => `Your membership ends on ${day}`,
    text: (topUp: number) =>
      `Nothing changes until then. Afterwards you keep a basic account, and ${topUp > 0 ? `your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}` : "everything you’ve made"}.`,
    keep: "Keep my membership",
    oneClick: (day: string) => `One click, and no charge before ${day}.`,
    kept: (plan: string, next: string) => `${plan} carries on. The next payment is on ${next}.`,
    notKept: (day: string, why: string) => `We couldn’t keep it: it still ends on ${day}. ${why}`,
    lost: "We don’t know whether it worked. Press again to make sure; it can only happen once.",
  },
  ended: {
    title: "Your membership has ended",
    text: (day: string, topUp: number) =>
      `It ran until ${day}. You keep your account, with everything you’ve made${topUp > 0 ? ` and your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}` : ""}.`,
    back: "You can come back whenever you like.",
  },
  credits: {
    title: "Meditation credits",
    left: (held: number, of: number) =>
      `${of ? `of ${of} left` : "credits"}${held ? `, and ${formatNumber(held)} reserved` : ""}`,
    text: "Voice only uses 1, immersive uses 2. We reserve a credit while a meditation is being made, spend it when it’s ready, and give it back if we couldn’t make it.",
    renewed: (day: string) =>
      `Plan credits are used first and replaced on ${day}. Top-up credits never expire.`,
    until: (day: string) => `Plan credits can be used until ${day}. Top-up credits never expire.`,
    afterPayment:
      "Plan credits are replaced as soon as the payment goes through. Top-up credits never expire.",
    plan: "Plan",
    topUpPool: "Top-up",
    of: (left: string, all: string) => `${left} of ${all}`,
    topUp: "Top up",
    make: "Make a meditation",
  },
  plan: {
    title: "My Subscription",
    plan: "Plan",
    monthly: (plan: string) => `${plan}, monthly`,
    yearly: (plan: string) => `${plan}, yearly`,
    begins: "Began",
    renews: "Renews",
    renewal: (day: string, price: string) => `${day}, ${price}`,
    change: "Change Plan",
    payment: "Payment",
    declined: "Card declined",
    openUntil: "Open until",
    cardRow: "Card",
    ending: (last4: string) => `ending ${last4}`,
    notCharged: "not charged again",
    card: "Update your card",
    cardFailed: (why: string) => `Your card wasn’t changed. ${why}`,
    ends: "Ends",
    ended: "Ended",
    name: "Name",
    email: "Email",
    none: "None yet",
    made: "Everything you’ve made",
  },
  cancel: {
    title: "Cancel Membership",
    text: "You keep it until the end of the period you’ve paid for, and you can change your mind until then.",
    open: "Cancel at the period’s end",
    ask: "Cancel at the period’s end?",
    lead: (plan: string, day: string) =>
      `${plan} runs until ${day}. You can change your mind with one click until then.`,
    keeps: (topUp: number) =>
      topUp > 0
        ? `You keep a basic account, your bespoke meditations and your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}.`
        : "You keep a basic account and your bespoke meditations.",
    letter: "We’ll email you to confirm. You’ll still get any emails you’ve chosen.",
    library: "the library",
    articles: "the articles",
    newCredits: (n: number, period: string) => `${formatNumber(n)} new credits a ${period}`,
    closes: (parts: readonly string[], day: string) => `${listed(parts)} close on ${day}.`,
    closeNow: (parts: readonly string[]) => `${listed(parts)} close now.`,
    why: "If you’d like to say why (you don’t have to)",
    tooExpensive: "It costs too much at the moment",
    unused: "I’m not using it enough",
    other: "Something else",
    keep: "Keep my membership",
    confirm: "Cancel Membership",
    cancelled: (day: string) =>
      `Your membership ends on ${day}. Nothing changes until then, and one click keeps it.`,
    ended: "Your membership has ended. You keep what you’ve made.",
    failed: (why: string) => `Your membership wasn’t cancelled; it carries on as before. ${why}`,
    lost: "We don’t know whether it was cancelled. Press again to make sure; it can only happen once.",
  },
  inGrace: {
    text: "It ends straight away, because its last payment didn’t go through. We won’t try your card again.",
    open: "End my membership",
    ask: "End your membership now?",
    lead: (plan: string) => `The last period of ${plan} wasn’t paid, so it ends straight away.`,
  },
  invite: {
    title: "Pass it on",
    text: (days: number, reward: number) =>
      `A friend gets ${formatCount(days, "day", "days")} free. When they join a membership, you each receive ${credits(reward)} that never expire.`,
    code: "Your referral code",
    copy: "Copy referral code",
    copied: "Your code is copied.",
    share: "Share the link",
    copyLink: "Copy the link",
    linkCopied: "The link is copied.",
    notCopied: "Your browser wouldn’t copy it. You can select it here:",
    shareTitle: "Serein",
    shareText: (days: number) => `Come and try Serein: ${formatCount(days, "day", "days")} free, no card.`,
    nobody: "Nobody has used it yet.",
    count: (invited: number, joined: number, earned: number) => {
      const has = joined === 1 ? "has" : "have";
      const sum = earned > 0 ? `: ${credits(earned)} so far` : "";
      return `${inWordsFirst(invited)} invited, ${joined === 0 ? "nobody" : inWords(joined)} ${joined === 0 ? "has" : has} joined${sum}.`;
    },
    away: "We can’t show your code at the moment.",
  },
  privacy: {
    title: "Privacy",
    letters: "Emails",
    text: "Which emails you’d like, besides those about your account and what you buy.",
    reminders: "Reminders",
    remindersText: "Before your trial ends, and when your credits run low",
    remindersPartly: "Before your trial ends. About low credits only once you agree to marketing",
    remindersAgree: "Agree to that",
    rewards: "Rewards",
    rewardsText: "When a friend joins with your code",
    update: "Update emails",
    updated: "Your choice is saved.",
    failed: (why: string) => `Your choice wasn’t saved; nothing has changed. ${why}`,
    suppressed:
      "Emails to your address were returned to us, so we’ve stopped sending them. Contact us if the address is right.",
    away: "We can’t show which emails you chose at the moment.",
  },
  god: {
    title: "God controls",
    text: "On your own plan, for trying things out. Each is kept in the ledger with its reason.",
    reset: "Reset to free trial",
    end: "End subscription",
    resetText: "A new free trial begins now, with new credits, on top of the one each person gets.",
    endText: "Your plan ends now, as if it had begun long ago.",
    reason: "Reason",
    reasonHint: "A few words; they are kept with the entry.",
    missing: "Please say why.",
    short: (min: number) => `A reason has at least ${min} characters.`,
    long: (max: number) => `A reason has at most ${max} characters.`,
    not: "Not now",
    resetDone: "A new trial has begun.",
    endDone: "Your plan has ended.",
    failed: (why: string) => `Nothing was changed. ${why}`,
  },
  basket: {
    title: "My Basket",
    open: "Open the basket",
    empty: "Your basket is empty.",
    list: "In my basket",
    quantity: (n: number) => `quantity ${n}`,
    waiting: "in your basket",
  },
  purchased: {
    title: "Purchased Items",
    open: "Orders and receipts",
    empty: "Nothing yet. What you buy is listed here.",
    list: "Purchased items",
  },
  out: { title: "Sign out", button: "Logout" },
} as const;
