/** The words of "Take everything with you" in the Members Area. */
export const exporting = {
  title: "Take everything with you",
  text: "One file with your profile, scripts, recordings, credits and orders. You don’t need Serein to open it.",
  what: "A copy of everything that’s yours",
  detail: "We put it together when you ask for it, and don’t keep it.",
  make: "Make my copy",
  again: "Make a new one",
  made: (size: string, until: string) => `${size}The link works once, until ${until}.`,
  size: (megabytes: number) => (megabytes < 1 ? "Less than 1 MB. " : `About ${Math.round(megabytes)} MB. `),
  ready: "Your copy is ready to download.",
  download: "Download",
  downloading:
    "Your browser is downloading it. You can leave this page. If the download fails, make a new one.",
  failed: (why: string) => `We couldn’t make a copy. ${why}`,
  lost: "We don’t know whether your copy is ready. Press again: you’ll get a new link, and the old one will stop working.",
} as const;
