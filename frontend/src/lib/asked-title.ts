import { stateOf } from "./router";

/** A title that a link asks the generator to write into its form, in the history entry: no address and no log has it. */
export interface AskedTitle {
  title: string;
}

/** The title in a location's state, or "". */
export function askedTitle(state: unknown): string {
  const title: unknown = Reflect.get(stateOf({ state }), "title");
  return typeof title === "string" ? title : "";
}
