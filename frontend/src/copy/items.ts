/** Words of what can be liked and kept. */
export const items = {
  like: "Like",
  /** "Like Rest is not a reward, 31 likes": the name of a heart that stands alone. */
  likeOf: (title: string, likes: number) => `Like ${title}, ${likes} ${likes === 1 ? "like" : "likes"}`,
  save: "Save to My Journey",
  saved: "Saved to My Journey",
  /** The name of a bookmark that stands alone; it is pressed or not. */
  saveOf: (title: string) => `Save ${title} to My Journey`,
  /** The name of a share icon. */
  shareOf: (title: string) => `Share ${title}`,
  removed: "Item removed from your Dashboard",
  listen: "Listen",
  article: "Article",
  /** The number stands as text: in a template it is not known yet. */
  minutesRead: (minutes: string) => `${minutes} min read`,
} as const;
