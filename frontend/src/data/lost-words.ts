import { lostOffline } from "@/copy/lost";

/** What is said of a write whose answer was lost: its own words, or that there is no line. */
export const lostWords = (words: string): string => (navigator.onLine ? words : lostOffline);
