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
  loading: "One moment",
  greeting: { morning: "Good morning", afternoon: "Good afternoon", evening: "Good evening" },
  lead: "Your membership, your credits, and anything you have bought or passed on.",
  trial: {
    title: "Your free trial",
    until: (day: string, time: string) => `Everything is open until ${day} at ${time}.`,
    over: "Your trial has ended; each person has one. What you have made stays here.",
    nothing: "Nothing is charged when it ends.",
    choose: "Choose a membership",
    preparing: "Your trial is being set up. It takes a moment.",
  },
  grace: {
    title: "Your last payment did not go through",
    failed: (price: string, day: string, last4: string) =>
      [price, day && `on ${day}`, last4 && `by the card ending ${last4}`].filter(Boolean).join(" "),
    open: (day: string) => `Everything stays open until ${day}`,
    again: (day: string) => `, and we will try again on ${day}`,
    safe: "Nothing is deleted, whatever happens.",
  },
  given: {
    taking: "Thank you. One moment, while your new card is looked at.",
    charged: (plan: string, last4: string) => `${plan} is paid by the card ending ${last4}.`,
    declined: (last4: string, day: string) =>
      `The card ending ${last4} was declined. Everything stays open until ${day}, and you can use another card.`,
    unknown:
      "We could not see yet what came of your card. Nothing is charged twice; look here again in a minute.",
  },
  cancelling: {
    title: (day: string) => `Your membership ends on ${day}`,
    text: (topUp: number) =>
      `Until then nothing changes. Afterwards you keep a basic account, and ${topUp > 0 ? `your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}` : "everything you have made"}.`,
    keep: "Keep my membership",
    oneClick: (day: string) => `One click, and no charge before ${day}.`,
    kept: (plan: string, next: string) => `${plan} goes on. The next payment is on ${next}.`,
    notKept: (day: string, why: string) => `It was not kept: it still ends on ${day}. ${why}`,
    lost: "We did not hear whether it is kept. Press again to be sure; it is only ever done once.",
  },
  ended: {
    title: "Your membership has ended",
    text: (day: string, topUp: number) =>
      `It was open until ${day}. Your account stays, with everything you have made${topUp > 0 ? ` and your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}` : ""}.`,
    back: "You can come back whenever you like.",
  },
  credits: {
    title: "Meditation credits",
    left: (held: number, of: number) =>
      `${of ? `of ${of} left` : "credits"}${held ? `, and ${formatNumber(held)} held` : ""}`,
    text: "Voice only uses 1, immersive uses 2. A credit is held while a meditation is made, spent when it is ready, and given back if it could not be made.",
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
    cardFailed: (why: string) => `Your card was not changed. ${why}`,
    ends: "Ends",
    ended: "Ended",
    name: "Name",
    email: "Email",
    none: "None yet",
    made: "Everything you’ve made",
  },
  cancel: {
    title: "Cancel Membership",
    text: "It stays open to the end of the period you have paid for, and you can change your mind until then.",
    open: "Cancel at the period’s end",
    ask: "Cancel at the period’s end?",
    lead: (plan: string, day: string) =>
      `${plan} stays open until ${day}. You can change your mind with one click until then.`,
    keeps: (topUp: number) =>
      topUp > 0
        ? `You keep a basic account, your bespoke meditations and your ${formatNumber(topUp)} top-up ${topUp === 1 ? "credit" : "credits"}.`
        : "You keep a basic account and your bespoke meditations.",
    letter: "We write to confirm it. Letters go on if you have chosen them.",
    library: "the library",
    articles: "the articles",
    newCredits: (n: number, period: string) => `${formatNumber(n)} new credits a ${period}`,
    closes: (parts: readonly string[], day: string) => `${listed(parts)} close on ${day}.`,
    closeNow: (parts: readonly string[]) => `${listed(parts)} close now.`,
    why: "If you would like to say why (you need not)",
    tooExpensive: "It costs too much just now",
    unused: "I am not using it enough",
    other: "Something else",
    keep: "Keep my membership",
    confirm: "Cancel Membership",
    cancelled: (day: string) =>
      `Your membership ends on ${day}. Until then nothing changes, and one click keeps it.`,
    ended: "Your membership has ended. What you have made stays here.",
    failed: (why: string) => `Your membership was not cancelled; it goes on as it was. ${why}`,
    lost: "We did not hear whether it was cancelled. Press again to be sure; it is only ever done once.",
  },
  inGrace: {
    text: "It ends at once, since its last payment did not go through. Nothing more is tried on your card.",
    open: "End my membership",
    ask: "End your membership now?",
    lead: (plan: string) => `The last period of ${plan} was not paid, so it ends at once.`,
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
    notCopied: "Your browser would not copy it. You can select it here:",
    shareTitle: "Serein",
    shareText: (days: number) => `Come and try Serein: ${formatCount(days, "day", "days")} free, no card.`,
    form: "Invite a friend",
    friend: "Friend’s name",
    email: "Their email",
    send: "Send the invitation",
    sending: "Sending the invitation",
    sent: "Sent",
    sentNote: "It is on its way. A friend gets this letter once, whoever sends it.",
    missing: "Please say where the invitation goes.",
    long: (max: number) => `That is longer than ${max} characters.`,
    emailShape: "That email looks unfinished. Check the part after the @.",
    enough:
      "That is as many invitations as we send in a day. This one was not sent: try again tomorrow, or pass on your code, which works at any time.",
    soon: (why: string) => `${why} What you have written is still here.`,
    offline: "You are offline. It was not sent; please send it when you are back.",
    failed: "It could not be sent just now. Please try again in a minute.",
    nobody: "Nobody has come by it yet.",
    count: (invited: number, joined: number, earned: number) => {
      const has = joined === 1 ? "has" : "have";
      const sum = earned > 0 ? `: ${credits(earned)} so far` : "";
      return `${inWordsFirst(invited)} invited, ${joined === 0 ? "nobody" : inWords(joined)} ${joined === 0 ? "has" : has} joined${sum}.`;
    },
    away: "Your code cannot be shown just now.",
  },
  privacy: {
    title: "Privacy",
    letters: "Letters",
    text: "Which letters you would like besides those about your account and what you buy.",
    reminders: "Reminders",
    remindersText: "Before your trial ends, and when your credits run low",
    remindersPartly: "Before your trial ends. Of credits that run low only once you agree to marketing",
    remindersAgree: "Agree to that",
    rewards: "Rewards",
    rewardsText: "When a friend joins with your code",
    update: "Update letters",
    updated: "Your choice is kept.",
    failed: (why: string) => `Your choice was not kept; it is as it was. ${why}`,
    suppressed:
      "Letters to your address came back to us, so none is sent. Write to us if the address is right.",
    away: "Which letters you chose cannot be shown just now.",
  },
  god: {
    title: "God controls",
    text: "On your own plan, for trying things out. Each is kept in the ledger with its reason.",
    reset: "Reset to free trial",
    end: "End subscription",
    resetText: "A new free trial begins now, with new credits, beside the one that a person has.",
    endText: "Your plan ends now, as one that began long ago.",
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
