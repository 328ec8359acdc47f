/** What the form says to somebody who comes from a meditation: handed over with the change of page. */
export interface FormNews {
  news: string;
}

/** The news in a location's state, or "". */
export const newsFrom = (state: unknown): string =>
  typeof state === "object" && state !== null && "news" in state && typeof state.news === "string"
    ? state.news
    : "";
