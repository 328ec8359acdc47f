import { remember, remembered } from "./storage";
import { createStore } from "./store";

/** A membership that a visitor chose before having an account: kept for this tab until they are signed in. */
export interface PendingPlan {
  planId: string;
  period: "month" | "year";
}

export const PENDING_KEY = "pendingPlan";

/** True while one is kept, and until it has led to its payment, or has not: nothing else is asked meanwhile. */
export const planPending = createStore(remembered("sessionStorage", PENDING_KEY) !== null, false);

/** null forgets it: the panel was closed, or opened for something else. What reads it is data/start-plan.ts. */
export function keepPendingPlan(plan: PendingPlan | null): void {
  remember("sessionStorage", PENDING_KEY, plan && JSON.stringify(plan));
  planPending.set(plan !== null);
}
