/**
 * Tells a form's fields what a browser or a password manager has filled in without an event: without one they would be
 * called missing. Call it when the form is sent; fields that know their value ignore it.
 */
export function takeFilled({ currentTarget }: { currentTarget: EventTarget | null }): void {
  if (!(currentTarget instanceof HTMLFormElement)) return;
  for (const field of currentTarget.elements)
    if (field instanceof HTMLInputElement && field.value)
      field.dispatchEvent(new Event("input", { bubbles: true }));
}
