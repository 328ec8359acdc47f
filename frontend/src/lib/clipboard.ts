/** Copies by selecting: for browsers that refuse the clipboard. The text lies where nobody sees it. */
function copyBySelecting(text: string): boolean {
  const area = document.createElement("textarea");
  const before = document.activeElement;
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // In an open dialog nothing outside can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  try {
    // Deprecated, and the only way there without the clipboard's permission.
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** Puts a text on the clipboard; false where the browser does not let us. Call it in a click. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text);
  }
}
