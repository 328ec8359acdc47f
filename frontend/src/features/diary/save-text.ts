/** Saves a text as a file of that name. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read the address after the press has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
