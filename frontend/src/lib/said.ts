/** A sentence that one page gives to the next, in its history entry: why one was led there. */
export interface Said {
  said: string;
}

/** The sentence that the page before has left, or "". */
export function saidOnLeaving(state: unknown): string {
  const said = typeof state === "object" && state !== null && "said" in state ? state.said : "";
  return typeof said === "string" ? said : "";
}
