/** What is said of a write that is only ever done once, where there is no line. */
export const lostOffline =
  "You are offline, so we do not know whether it was done. Press again when the connection is back; it is only ever done once.";
