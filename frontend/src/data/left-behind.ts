import { remember, safely } from "@/lib/storage";

/** What this tab keeps of the browser itself and of nobody in particular: the veil that was lifted, a load that was tried again. */
const OF_BROWSER: readonly string[] = ["serein-entered", "serein-reloaded"];

/** Where the player keeps for this device what a member likes to hear. */
export const SOUND_KEY = "serein-sound";

/**
 * Drops what a member who signs out has written in this tab: drafts, searches, places of recordings, a payment under way
 * (OWASP ASVS 5.0, 14.3.1). The code lists the keys that stay, so that a draft added later is dropped too. From the device's
 * storage it drops what is the member's.
 */
export const dropLeftBehind = (): void => {
  remember("localStorage", SOUND_KEY, null);
  safely(() => {
    for (const key of Object.keys(sessionStorage))
      if (!OF_BROWSER.includes(key)) sessionStorage.removeItem(key);
  });
};
