import { stateOf } from "./router";

/** A sentence that one page gives to the next, in its history entry: why one was led there. */
export interface Said {
  said: string;
}

/** A text that a history entry holds under that name, or "". */
function held(state: unknown, name: "said" | "plan"): string {
  const value: unknown = Reflect.get(stateOf({ state }), name);
  return typeof value === "string" ? value : "";
}

/** The sentence that the page before has left, or "". */
export const saidOnLeaving = (state: unknown): string => held(state, "said");

/** The plan whose link a member has opened, by its id, or "". */
export const planOfLink = (state: unknown): string => held(state, "plan");
