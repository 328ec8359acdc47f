import { formatLongDate } from "@/lib/format";

const KILO = 1000;

/** "640 KB", "12.4 MB", "1.2 GB": as devices count, by thousands. */
export function sizeOf(bytes: number): string {
  if (bytes < KILO ** 2) return `${Math.max(1, Math.round(bytes / KILO))} KB`;
  const [by, unit] = bytes < KILO ** 3 ? [KILO ** 2, "MB"] : [KILO ** 3, "GB"];
  return `${(bytes / by).toFixed(1)} ${unit}`;
}

const recordings = (n: number): string => `${n} ${n === 1 ? "recording" : "recordings"}`;

/** The words of what a member keeps on their device. */
export const kept = {
  isKept: (title: string) => `“${title}” is kept on this device`,
  page: "Kept on this device",
  dialog: {
    title: (title: string) => `Keep “${title}” on this device`,
    measuring: "Finding out how much room it takes",
    size: (bytes: number) => `It takes ${sizeOf(bytes)}, with its sound, picture and words.`,
    room: (bytes: number) => `This browser has room for ${sizeOf(bytes)} more.`,
    own: "It’s yours: it stays here until you remove it, delete it or sign out.",
    plan: (day: string) =>
      `You can listen to it here until ${day}, and for longer if your plan goes on. Signing out removes it.`,
    always: "It stays here until you remove it or sign out.",
    keep: "Keep",
    keeping: (done: number, all: number) => `${sizeOf(done)} of ${sizeOf(all)}`,
    progress: "How much is here",
    cancel: "Cancel",
    done: (bytes: number) => `Kept: ${sizeOf(bytes)} on this device. It plays in flight mode, too.`,
    see: "See what’s kept",
    remove: "Remove from this device",
    removed: (title: string) => `“${title}” is no longer on this device.`,
    again: "Try again",
  },
  trouble: {
    full: "There isn’t enough room on this device, so nothing of it was kept. Remove something, then try again.",
    line: "The connection broke, so nothing of it was kept. Try again when you’re back online.",
    gone: "It isn’t on Serein any more, so it can’t be kept.",
    changed: "It changed while it was on its way, so nothing of it was kept. Please try again.",
    unable:
      "This browser doesn’t let a site keep anything. That’s usual for a private window; another window may.",
  },
  lead: "These play without a connection, and in flight mode. What you made stays yours. What belongs to your plan can be heard as long as your plan lasts.",
  total: (n: number, bytes: number) => `${recordings(n)}, ${sizeOf(bytes)} in all.`,
  room: (bytes: number) => `There’s room for ${sizeOf(bytes)} more.`,
  empty: {
    title: "Nothing is kept here yet",
    text: "Choose “Keep on this device” at one of your own meditations, or in the library, and it will play without a connection.",
    action: "Go to My Journey",
  },
  hidden: {
    title: "Sign in to see what’s kept",
    text: "What a member keeps on a device opens for them alone. When another member signs in here, it’s removed.",
  },
  /** Facts of a card. */
  until: (ms: number) => `Until ${formatLongDate(ms)}`,
  yours: "Yours",
  minutes: (ms: number) => `${Math.max(1, Math.round(ms / 60_000))} min`,
  remove: (title: string) => `Remove “${title}” from this device`,
  removeAll: "Remove all",
  all: {
    title: "Remove everything from this device?",
    text: (n: number, bytes: number) =>
      `${recordings(n)} and ${sizeOf(bytes)} go from this device. On Serein they stay as they are.`,
    keep: "Keep them",
  },
  sounds: {
    title: "Sounds beneath",
    text: "Kept sounds can go beneath everything that’s kept.",
  },
  words: "Words",
  over: (titles: string) =>
    `${titles} could be heard here as long as your plan lasted, and ${titles.includes(", ") ? "have" : "has"} been removed. With a plan you can keep ${titles.includes(", ") ? "them" : "it"} again.`,
  gone: (titles: string) =>
    `${titles} ${titles.includes(", ") ? "aren’t" : "isn’t"} on Serein any more, and ${titles.includes(", ") ? "are" : "is"} no longer kept here.`,
  leaving: {
    title: "Sign out of this device?",
    text: (n: number, bytes: number) =>
      `${recordings(n)} (${sizeOf(bytes)}) that you keep here will be removed with it. On Serein they stay as they are.`,
    out: "Sign out and remove",
    stay: "Stay signed in",
  },
} as const;

export const named = (titles: readonly string[]): string => titles.map((title) => `“${title}”`).join(", ");
