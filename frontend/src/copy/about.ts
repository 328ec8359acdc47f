/** The words around the text of the About page, which is content. */
export const about = {
  never: "What you won’t find here",
  points: [
    ["Streaks", "Missing a day isn’t a loss. It’s a day."],
    ["Other people", "No followers, no crowd, no comparing."],
    ["A hard way out", "Two clicks to cancel. One more if you change your mind."],
    ["Your words for sale", "What you tell us is used to write for you, and for nothing else."],
  ],
  end: "Come in when you like",
  memberships: "View Our Memberships",
} as const;
