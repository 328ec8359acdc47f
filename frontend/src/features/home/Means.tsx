import { memberHome } from "@/copy/member-home";
import type { Member } from "@/lib/boot";
import { now } from "@/lib/clock";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import css from "./MemberHome.module.css";

const DAY_MS = 86_400_000;
const words = memberHome.means;

/** What a member can still do by their plan and credits, in one sentence. */
export function meansOf({ plan, credits }: Pick<Member, "plan" | "credits">, nowMs: number): string {
  const left = credits.plan + credits.topUp;
  if (!plan) return words.preparing;
  if (!plan.active) return words.ended(left);
  if (!plan.trial) return words.plan(left);
  return words.trial(Math.max(1, Math.ceil((plan.endsAt - nowMs) / DAY_MS)), left);
}

export function Means({ member }: { member: Member }) {
  return (
    <p className={css.means}>
      {meansOf(member, now())} <Link to={paths.members}>{words.open}</Link>
    </p>
  );
}
