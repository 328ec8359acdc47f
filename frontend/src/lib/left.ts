import { createStore } from "./store";

/** Until when (ms) a member who has just deleted their account in this browser can undo it by signing in; 0 without such a deletion. */
export const leftUntil = createStore(0);
