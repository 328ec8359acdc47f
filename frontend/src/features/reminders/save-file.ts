/** How long the browser may take to fetch what it saves (ms). */
const FETCHED_MS = 60_000;

/** Saves a calendar file that was made here. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/calendar;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), FETCHED_MS);
}
