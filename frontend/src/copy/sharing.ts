/** Passing on an article, a meditation of the library, or one's own. */
export const sharing = {
  titleOf: (title: string) => `Share “${title}”`,
  share: "Share",
  /** What goes with the address. */
  text: (title: string) => `“${title}”, at Serein`,
  copy: "Copy link",
  copied: "The link is copied.",
  notCopied: "Your browser wouldn’t copy it. You can select it here:",
  /** Names of the sites whose own dialogs open. */
  sites: { x: "X", facebook: "Facebook", whatsApp: "WhatsApp", linkedIn: "LinkedIn", email: "Email" },
  newTab: (site: string) => `${site}, opens in a new tab`,
  inviteTitle: "Or invite a friend by email",
  library: "Meditations in the library open for members who have it in their plan.",
  loading: "Looking for your link",
  own: {
    what: "Anyone with the link can listen to this meditation and read its words and title, without an account. They see nothing else of yours. You can end the link at any time.",
    name: "Show my first name",
    nameShown: (name: string) => `Your link shows the name ${name}.`,
    nameHidden: "Your link shows nobody’s name.",
    make: "Make a link",
    making: "Making the link",
    link: "Your link",
    since: (day: string) => `Made on ${day}.`,
    hidden:
      "Your link works, but we can’t show it again. To have one that you can copy, end it and make another.",
    end: "End link",
    ending: "Ending the link",
    ended: "The link is ended. Nobody can listen by it any more.",
    failed: (why: string) => `That didn’t work. ${why}`,
  },
} as const;
