import { createStore } from "./store";

/** Set where somebody has signed in and it could not be asked who it is; the call asks again. null where nothing failed. */
export const userFetchFailed = createStore<(() => void) | null>(null);
