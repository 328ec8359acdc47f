import { createStore } from "@/lib/store";

/** What a member who signs out keeps on this device, and what they answer. */
export interface LeavingAsked {
  count: number;
  bytes: number;
  answer: (leaves: boolean) => void;
}

/** Set while a member is asked whether they sign out, and what they keep here goes. */
export const leavingAsked = createStore<LeavingAsked | null>(null);
