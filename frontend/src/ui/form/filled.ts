/**
 * Tells a form's fields what a browser or a password manager has filled in without an event: without one they would be
 * called missing. Call it when the form is sent; fields that have heard of their value pass over it.
 */
export function takeFilled({ currentTarget }: { currentTarget: EventTarget | null }): void {
  if (!(currentTarget instanceof HTMLFormElement)) return;
  for (const field of currentTarget.elements)
    if (field instanceof HTMLInputElement && field.value)
      field.dispatchEvent(new Event("input", { bubbles: true }));
}
