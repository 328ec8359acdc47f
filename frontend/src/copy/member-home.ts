import { formatCount } from "@/lib/format";
import { inWords } from "@/lib/number-words";

const credits = (n: number): string => formatCount(n, "credit", "credits");
const toUse = (left: number): string =>
  left > 0 ? `You have ${credits(left)} to use` : "You have no credits left";
const inDays = (days: number): string => `${inWords(days)} ${days === 1 ? "day" : "days"}`;

/** The words of what stands above Home for a member. */
export const memberHome = {
  hello: (greeting: string, name: string) => (name ? `${greeting}, ${name}` : greeting),
  means: {
    preparing: "We’re setting up your trial. It takes a moment.",
    /** `days` of the trial are left, the one that has begun counted. */
    trial: (days: number, left: number) => {
      const runs = `Your free trial has ${inDays(days)} to go`;
      return left > 0 ? `${runs}, with ${credits(left)} to use.` : `${runs}.`;
    },
    /** A paid plan, by how it goes on: in `days` it renews, ends, or closes unless the last payment goes through. */
    renews: (days: number, left: number) => `${toUse(left)}, and your membership renews in ${inDays(days)}.`,
    ends: (days: number, left: number) => `${toUse(left)}, and your membership ends in ${inDays(days)}.`,
    grace: (days: number, left: number) =>
      `${toUse(left)}. Your last payment didn’t go through, and everything stays open for ${inDays(days)}.`,
    /** A paid plan without an end. */
    plan: (left: number) => `${toUse(left)}.`,
    ended: (left: number) =>
      left > 0
        ? `You keep everything you’ve made, and your ${credits(left)}.`
        : "You keep everything you’ve made.",
    open: "Your plan and credits",
  },
  carryOn: "Carry on",
  /** Whole minutes. */
  left: (minutes: number) => `${formatCount(minutes, "minute", "minutes")} left`,
  minutes: (minutes: number) => formatCount(minutes, "minute", "minutes"),
  makeOne: "A meditation of your own",
  /** Above a way on that suits every hour. */
  whenever: "Whenever you like",
  make: "Make a meditation",
  makeText: "Say what the moment is, and we’ll write it.",
  memberships: "Have a look at the memberships",
  membershipsText: "There’s no hurry. What you’ve made stays yours.",
} as const;
