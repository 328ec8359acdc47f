import { SESSION_CHANNEL } from "./sign-in";

/** What becomes of the session, in words that every tab listens for. */
type Word = { type: "signed-in" } | { type: "signed-out" } | { type: "consents"; analytics: boolean };

/** Tells every tab, this one too. */
export function tellTabs(word: Word): void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage(word);
  channel.close();
}
