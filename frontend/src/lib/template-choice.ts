import type { Condition, Key, Part, Shown } from "./template";
import { valueOf } from "./template";

// Apart from lib/template.tsx: the library needs them, and the first load brings what many pages need.

/** One of two, as an answer decides. */
export const either = (test: Condition, yes: Part, no: Part): Shown<unknown> => ({
  is: valueOf(test.is ? yes : no),
  at: ["either", test, yes, no],
});

/** A text of a message that an answer may leave out; "" without the message. */
export const within = <M extends object>(message: M | undefined, key: Key<M>): Shown<unknown> => ({
  is: message?.[key] ?? "",
  at: ["within", message, key],
});

export const less = (a: Shown<number>, b: Shown<number>): Condition => ({
  is: a.is < b.is,
  at: ["lt", a, b],
});
