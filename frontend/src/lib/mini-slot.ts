import type { ComponentType } from "react";
import { createStore } from "./store";

/**
 * The place in the shell that survives a change of page. The player puts its small form here once something
 * has begun to play; so the shell carries the player without loading it.
 */
export const miniSlot = createStore<ComponentType | null>(null);
