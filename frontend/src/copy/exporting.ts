/** The words of "Take everything with you" in the Members Area. */
export const exporting = {
  title: "Take everything with you",
  text: "One file with your profile, scripts, sound, credits and orders. It opens without us.",
  what: "A copy of all that is yours",
  detail: "It is put together when you ask for it. We keep no copy of the copy.",
  make: "Make my copy",
  again: "Make a new one",
  made: (size: string, until: string) => `${size}The link works once, until ${until}.`,
  size: (megabytes: number) => (megabytes < 1 ? "Less than 1 MB. " : `About ${Math.round(megabytes)} MB. `),
  ready: "Your copy is ready to be downloaded.",
  download: "Download",
  downloading:
    "Your browser is downloading it, and shows how far it is. You can leave this page. If it breaks off, make a new one.",
  failed: (why: string) => `There is no copy just now. ${why}`,
  lost: "We did not hear whether your copy is ready. Press again: a new link takes the place of the one before.",
} as const;
