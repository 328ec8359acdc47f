/** What the page was given at its start; null where there is no page, as when the build writes templates. */
export const booted = () =>
  typeof document === "undefined" ? null : JSON.parse(document.querySelector("#boot")?.textContent ?? "null");
