/** The words of what a member does with their own meditations. */
export const own = {
  /** The name of a card's menu. */
  more: (title: string) => `More for ${title}`,
  rename: "Rename",
  share: "Share",
  mark: "Delete",
  recover: "Recover",
  recoverOf: (title: string) => `Recover ${title}`,
  undo: "Undo",
  dismiss: "Dismiss",
  marked: (title: string) => `“${title}” is in Recently Deleted for two weeks.`,
  recovered: (title: string) => `“${title}” is back among your Bespoke Meditations.`,
  renamed: (title: string) => `It’s called “${title}” now.`,
  already: (title: string) => `“${title}” is in Recently Deleted already. You can bring it back from there.`,
  notDeleted: (title: string) =>
    `“${title}” isn’t deleted any more. You’ll find it among your Bespoke Meditations.`,
  tooLate: (title: string) => `It’s too late to change “${title}”. It was deleted for good.`,
  /** On its card, and at its own address. */
  deleted: "Deleted",
  deletedOn: (day: string) => `Deleted ${day}`,
  nothingLeft: "Its sound and script are gone",
  until: (when: string) => `In Recently Deleted. You can listen to it, and bring it back, until ${when}.`,
  gone: {
    title: (title: string) => `“${title}” was deleted`,
    text: "Its sound and script were removed two weeks after you deleted it, and can’t be brought back.",
    action: "Back to My Journey",
  },
  dialog: {
    title: "Rename this meditation",
    lead: "Only its title changes. What is spoken stays as it is.",
    label: "Title",
    save: "Save",
    failed: (why: string) => `We couldn’t rename it. ${why}`,
    lost: "We don’t know whether it was renamed. Press again to make sure.",
  },
} as const;
