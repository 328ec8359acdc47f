/**
 * Whether this browser asks sites not to count whoever uses it: by Global Privacy Control (https://www.w3.org/TR/gpc/), or by Do Not
 * Track before it. The gateway hears the same in its headers.
 */
export const asksNotToBeCounted = (): boolean =>
  ("globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true) ||
  navigator.doNotTrack === "1";
