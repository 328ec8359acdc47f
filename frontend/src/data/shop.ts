import { healing } from "./query";

/** How often what cannot be bought just now is looked at again: prices are agreed moments after everything has started. */
export const CLOSED_MS = 10_000;

/** The refetch interval of what is for sale. `closed`: something of it cannot be bought just now. */
export const lookAgain = (query: Parameters<typeof healing>[0], closed: boolean | undefined) =>
  closed ? CLOSED_MS : healing(query);
