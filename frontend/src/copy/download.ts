/** The words of a member who keeps a meditation of theirs as a file. */
export const download = { action: "Download" } as const;
