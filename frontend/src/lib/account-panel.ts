import { createStore } from "./store";

/** Which face the account panel shows. "ended" asks a member whose session ran out to sign in again. */
export type AccountPanel =
  | { face: "sign-up" }
  | { face: "confirm"; username: string; email: string }
  /** `confirmed`: the code was accepted just now, and the sign-in page has been opened. */
  | { face: "done"; username: string; confirmed: boolean }
  | { face: "ended" };

export const accountPanel = createStore<AccountPanel | null>(null);

/** Opens the sign-up panel over the page. */
export const openSignUp = (): void => accountPanel.set({ face: "sign-up" });
export const openSignInAgain = (): void => accountPanel.set({ face: "ended" });
export const closeAccountPanel = (): void => accountPanel.set(null);
