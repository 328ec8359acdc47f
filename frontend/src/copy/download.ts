/** The words of a member who keeps a meditation: as a file, or on this device. */
export const download = {
  action: "Download",
  keep: "Keep on this device",
  keepOf: (title: string) => `Keep “${title}” on this device`,
} as const;
