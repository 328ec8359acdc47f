/**
 * Whether this browser asks sites not to count its user: by Global Privacy Control (https://www.w3.org/TR/gpc/), or by its
 * predecessor, Do Not Track. The gateway reads the same from the browser's request headers.
 */
export const asksNotToBeCounted = (): boolean =>
  ("globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true) ||
  navigator.doNotTrack === "1";
