import { createStore } from "./store";

/** Until when (ms) whoever has just deleted their account can undo it by signing in; 0 where nobody has. */
export const leftUntil = createStore(0);
