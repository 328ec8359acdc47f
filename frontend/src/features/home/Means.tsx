import { memberHome } from "@/copy/member-home";
import type { Member } from "@/lib/boot";
import { now } from "@/lib/clock";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import css from "./MemberHome.module.css";

const DAY_MS = 86_400_000;
const words = memberHome.means;

/** What a member can still do by their plan and credits, and how long, in one sentence; two in the days of grace. */
export function meansOf({ plan, credits }: Pick<Member, "plan" | "credits">, nowMs: number): string {
  const left = credits.plan + credits.topUp;
  if (!plan) return words.preparing;
  if (!plan.active) return words.ended(left);
  const days = (untilMs: number) => Math.max(1, Math.ceil((untilMs - nowMs) / DAY_MS));
  if (plan.trial) return words.trial(days(plan.endsAt), left);
  if (plan.graceUntil) return words.grace(days(plan.graceUntil), left);
  if (!plan.endsAt) return words.plan(left);
  return (plan.renews ? words.renews : words.ends)(days(plan.endsAt), left);
}

export function Means({ member }: { member: Member }) {
  return (
    <p className={css.means}>
      {meansOf(member, now())} <Link to={paths.members}>{words.open}</Link>
    </p>
  );
}
