import { remember, remembered } from "./storage";

/** A membership that a visitor chose before having an account: kept for this tab until they are signed in. */
export interface PendingPlan {
  planId: string;
  period: "month" | "year";
}

const KEY = "pendingPlan";

/** null forgets it: the panel was closed, or opened for something else. */
export const keepPendingPlan = (plan: PendingPlan | null): void =>
  remember("sessionStorage", KEY, plan && JSON.stringify(plan));

/** Answers with it once: it is forgotten before anything is done with it. */
export function takePendingPlan(): PendingPlan | null {
  const kept = remembered("sessionStorage", KEY);
  keepPendingPlan(null);
  try {
    const { planId, period } = JSON.parse(kept ?? "{}") as Partial<PendingPlan>;
    return planId && (period === "month" || period === "year") ? { planId, period } : null;
  } catch {
    return null;
  }
}
