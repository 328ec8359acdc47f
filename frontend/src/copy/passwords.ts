/** The words of a field for a password. */
export const passwords = {
  hint: (min: number) => `${min} characters or more. Three unrelated words work well.`,
  show: "Show",
  hide: "Hide",
  showLabel: "Show password",
  hideLabel: "Hide password",
} as const;
