/** The words of what lies over the page for a while. */
export const notices = {
  list: "Notifications Alt+T",
  offline: "You’re offline. What has loaded will keep playing.",
  /** Leads there, where something may be kept. */
  kept: "Kept on this device",
  /** Somebody has signed in, and nobody could say who. The first sentence is the specification's. */
  userFetch: {
    failed: "Failed to fetch user.",
    text: "You’re signed in, but this page doesn’t show it yet.",
    again: "Try again",
    dismiss: "Dismiss",
  },
} as const;
