/** What is said of a write that is only ever done once, where there is no line. */
export const lostOffline =
  "You’re offline, so we don’t know whether it worked. Press again when you’re back online; it can only happen once.";
