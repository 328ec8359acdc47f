import { checkout as copy } from "@/copy/checkout";
import { paths } from "@/lib/paths";
import type { PendingPlan } from "@/lib/pending-plan";
import { PENDING_KEY, planPending } from "@/lib/pending-plan";
import { goTo } from "@/lib/router";
import type { Said } from "@/lib/said";
import { remember, remembered } from "@/lib/storage";
import { toast } from "@/ui/toast/store";
import { CHECKOUT, leaveToPay, refusalOf } from "./checkout";
import type { Data } from "@/lib/app";
import { runWrite } from "./mutation";

/** Answers with what is kept, once: it is forgotten before anything is done with it. */
function take(): PendingPlan | null {
  const kept = remembered("sessionStorage", PENDING_KEY);
  remember("sessionStorage", PENDING_KEY, null);
  try {
    const { planId, period } = JSON.parse(kept ?? "{}") as Partial<PendingPlan>;
    return planId && (period === "month" || period === "year") ? { planId, period } : null;
  } catch {
    return null;
  }
}

/** Whether the payment of a membership takes the place of this page; where it does not, the plans do, with the reason. */
async function leadToPay(data: Data, plan: PendingPlan): Promise<boolean> {
  toast(copy.leading, "info");
  const { answer, trouble } = await runWrite(data, CHECKOUT, plan);
  if (!answer) {
    goTo(paths.memberships, { state: { said: refusalOf(trouble) } satisfies Said });
    return false;
  }
  leaveToPay({ orderId: answer.orderId, plan: true }, answer.url);
  return true;
}

/** Leads to the payment of a membership that was chosen before signing in; what else is to be asked waits for it. */
export async function startPlan(data: Data): Promise<void> {
  const plan = take();
  const leaves = plan !== null && (await leadToPay(data, plan));
  planPending.set(leaves);
}
