/** The way out of a dialog’s form. */
export const notNow = "Not now";
