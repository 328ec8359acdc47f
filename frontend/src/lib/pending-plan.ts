import { remember } from "./storage";

/** A membership that a visitor chose before having an account: kept for this tab until they are signed in. */
export interface PendingPlan {
  planId: string;
  period: "month" | "year";
}

export const PENDING_KEY = "pendingPlan";

/** null forgets it: the panel was closed, or opened for something else. What reads it is data/start-plan.ts. */
export const keepPendingPlan = (plan: PendingPlan | null): void =>
  remember("sessionStorage", PENDING_KEY, plan && JSON.stringify(plan));
