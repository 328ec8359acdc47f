/** What is said of a write that is only ever done once, where there is no line. */
export const lostOffline =
  "You’re offline, so we don’t know whether it worked. Press again when you’re back online; it can only happen once.";

/** What is said once the app has stopped repeating a read whose answer is shown. */
export const stoppedUpdating = "This page has stopped updating by itself. Load it again to see what’s new.";
