/** Brings the field that has the focus into the middle of what is seen, once the errors have taken their place. */
export const showFocus = (): void =>
  void requestAnimationFrame(() => document.activeElement?.scrollIntoView({ block: "center" }));
