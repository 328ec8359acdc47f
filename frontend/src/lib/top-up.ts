import { createStore } from "./store";

/** Whether the dialog of credit packs lies over the page. */
export const topUpOpen = createStore(false);

export const openTopUp = (): void => topUpOpen.set(true);
