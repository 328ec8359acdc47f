import type { Condition, Key } from "./template";
import { field } from "./template";

// Apart from lib/template.tsx: one page needs it, and the first load brings what many need.

/** Whether a field is one of an enumeration. */
export const equals = <M extends object, K extends Key<M>>(
  message: M,
  key: K,
  value: M[K] & number,
): Condition => ({ is: message[key] === value, at: ["eq", field(message, key), value] });
