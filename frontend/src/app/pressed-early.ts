declare global {
  // What index.html remembers until the app is there; a property of the window, since nothing of the app is there yet.
  var pressedEarly: Set<HTMLElement | null | undefined> | undefined;
}

/** Presses again, in turn, what was pressed before the app was there. React takes over at once what is pressed. */
export const pressAgain = (): void => {
  const early = globalThis.pressedEarly;
  globalThis.pressedEarly = undefined;
  for (const button of early ?? []) button?.click();
};
