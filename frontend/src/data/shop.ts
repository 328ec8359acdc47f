import { healing } from "./query";
import { repeated } from "./repeat";

/** How what cannot be bought just now is looked at again, for about half an hour: prices are agreed moments after everything has started. */
export const CLOSED = { firstMs: 10_000, mostMs: 60_000, times: 30 };

/** The refetch interval of what is for sale. `closed`: something of it cannot be bought just now. */
export const lookAgain = (query: Parameters<typeof healing>[0], closed: boolean | undefined) =>
  closed ? repeated(query, CLOSED) : healing(query);
