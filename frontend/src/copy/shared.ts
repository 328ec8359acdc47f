/** The page of a link by which somebody shares a meditation. */
export const shared = {
  opening: "Opening the meditation",
  player: "Player",
  read: (narrator: string) => `read by ${narrator}`,
  sharedBy: (name: string) => `${name} has shared this meditation with you`,
  sharedByNobody: "A meditation that was shared with you",
  minutes: (n: number) => `${n} min`,
  gone: {
    title: "This link doesn’t lead anywhere",
    message: "It may have been ended, or the address isn’t quite right.",
    action: "Go Home",
  },
  from: "Serein wrote and narrated it for one person, from the words they asked for.",
  about: "See what Serein is",
  join: "Make one of your own",
} as const;
