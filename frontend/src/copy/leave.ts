/** The words of the quick way out. See ui/QuickExit. */
export const leave = {
  label: "Leave this page now",
  about: "Opens a weather forecast in its place. Back does not return here.",
} as const;
