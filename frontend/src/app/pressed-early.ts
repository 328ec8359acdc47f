declare global {
  // What index.html remembers; a property of the window, since nothing of the app is there yet.
  var pressedEarly: HTMLElement | null | undefined;
}

/** Presses again what was pressed before the app was there. React takes over at once what is pressed. */
export const pressAgain = (): void => globalThis.pressedEarly?.click();
