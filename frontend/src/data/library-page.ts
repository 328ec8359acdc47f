/** How many meditations the library shows before more are asked for: whole rows. */
export const LIBRARY_PAGE = 12;

/** The same while nothing is looked for: the first is as wide as two then. */
export const LIBRARY_FIRST_PAGE = LIBRARY_PAGE - 1;
