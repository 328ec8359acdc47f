import { remember, safely } from "@/lib/storage";

/** What this tab keeps of the browser itself and of nobody in particular: the veil that was lifted, a load that was tried again. */
const OF_BROWSER: readonly string[] = ["serein-entered", "serein-reloaded"];

/** Where the player keeps for this device what a member likes to hear. */
export const SOUND_KEY = "serein-sound";

/**
 * Drops from this tab whatever was written in it: drafts, searches, places of recordings, a payment that is on its way. Whoever
 * signs out leaves none of it behind (OWASP ASVS 5.0, 14.3.1). Named is what stays, so that no later draft is forgotten here. Of the device goes what is the member's.
 */
export const dropLeftBehind = (): void => {
  remember("localStorage", SOUND_KEY, null);
  safely(() => {
    for (const key of Object.keys(sessionStorage))
      if (!OF_BROWSER.includes(key)) sessionStorage.removeItem(key);
  });
};
