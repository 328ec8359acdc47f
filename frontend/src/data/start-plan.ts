import { checkout as copy } from "@/copy/checkout";
import { paths } from "@/lib/paths";
import type { PendingPlan } from "@/lib/pending-plan";
import { keepPendingPlan, PENDING_KEY } from "@/lib/pending-plan";
import { goTo } from "@/lib/router";
import type { Said } from "@/lib/said";
import { remembered } from "@/lib/storage";
import { toast } from "@/ui/toast/store";
import { CHECKOUT, leaveToPay, refusalOf } from "./checkout";
import type { Data } from "./data";
import { runWrite } from "./mutation";

/** Answers with what is kept, once: it is forgotten before anything is done with it. */
function take(): PendingPlan | null {
  const kept = remembered("sessionStorage", PENDING_KEY);
  keepPendingPlan(null);
  try {
    const { planId, period } = JSON.parse(kept ?? "{}") as Partial<PendingPlan>;
    return planId && (period === "month" || period === "year") ? { planId, period } : null;
  } catch {
    return null;
  }
}

/** Leads to the payment of a membership that was chosen before signing in; where there is none, to the plans with the reason. */
export async function startPlan(data: Data): Promise<void> {
  const plan = take();
  if (!plan) return;
  toast(copy.leading, "info");
  const { answer, trouble } = await runWrite(data, CHECKOUT, plan);
  if (answer) return leaveToPay({ orderId: answer.orderId, plan: true }, answer.url);
  goTo(paths.memberships, { state: { said: refusalOf(trouble) } satisfies Said });
}
