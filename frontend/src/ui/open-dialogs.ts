import { createStore } from "@/lib/store";

/** The modal dialogs that are open, the topmost last. What lies outside of it can neither be seen whole nor reached. */
export const openDialogs = createStore<readonly HTMLElement[]>([]);

/** Adds one on top, and answers what takes it out again. */
export function addDialog(dialog: HTMLElement): () => void {
  openDialogs.set([...openDialogs.get(), dialog]);
  return () => openDialogs.set(openDialogs.get().filter((open) => open !== dialog));
}
