import { checkout as copy } from "@/copy/checkout";
import { paths } from "@/lib/paths";
import type { PendingPlan } from "@/lib/pending-plan";
import { goTo } from "@/lib/router";
import type { Said } from "@/lib/said";
import { toast } from "@/ui/toast/store";
import { CHECKOUT, leaveToPay, refusalOf } from "./checkout";
import type { Data } from "./data";
import { runWrite } from "./mutation";

/** Leads to the payment of a membership that was chosen before signing in; where there is none, to the plans with the reason. */
export async function startPlan(data: Data, plan: PendingPlan): Promise<void> {
  toast(copy.leading, "info");
  const { answer, trouble } = await runWrite(data, CHECKOUT, plan);
  if (answer) return leaveToPay({ orderId: answer.orderId, plan: true }, answer.url);
  goTo(paths.memberships, { state: { said: refusalOf(trouble) } satisfies Said });
}
