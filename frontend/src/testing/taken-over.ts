/** Whether React has taken over an element of markup that was written before. */
export const isTakenOver = (element: Element | null): boolean =>
  Object.keys(element ?? {}).some((key) => key.startsWith("__react"));
