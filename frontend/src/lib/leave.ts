import { safely } from "./storage";

/**
 * Where the quick way out leads: a page of which nobody would ask why it is open. It is the one that GOV.UK's design
 * system uses for the same purpose (design-system.service.gov.uk/components/exit-this-page).
 */
export const NEUTRAL_PAGE = "https://www.bbc.co.uk/weather";

/**
 * Leaves at once. What stood here is blank before the other page has come, what was written in this tab is forgotten, and the
 * other page takes this one's place in the tab's history, so that Back does not lead here.
 */
export function leaveAtOnce(): void {
  document.documentElement.hidden = true;
  document.title = "";
  safely(() => sessionStorage.clear());
  window.location.replace(NEUTRAL_PAGE);
}
