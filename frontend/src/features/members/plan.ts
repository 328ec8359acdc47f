import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import type { Member } from "@/lib/boot";
import { now } from "@/lib/clock";
import { formatDate, formatLongDate } from "@/lib/format";

/** What the page shows of a plan: as the membership says, and until that has come as the session does. */
export interface Standing {
  status: MembershipStatus;
  name: string;
  trial: boolean;
  /** ms since 1970; 0 where it is not known. */
  endsAt: number;
}

const NONE: Standing = { status: MembershipStatus.UNSPECIFIED, name: "", trial: false, endsAt: 0 };

export const msOf = (at: Membership["endsAt"]): number => (at ? timestampMs(at) : 0);

const HALF_YEAR_MS = 182 * 86_400_000;
/** "14 December", with its year where that is far off: who pays by the year would take the day for this year's. */
export const dueDay = (ms: number): string =>
  ms - now() > HALF_YEAR_MS ? formatLongDate(ms) : formatDate(ms);

/** The trial begins by an event, moments after the first sign-in, and the session is asked until it has. */
export function standingOf({ plan }: Member, membership: Membership | undefined): Standing {
  if (membership?.status) {
    const { status, planName: name, trial, endsAt } = membership;
    return { status, name, trial, endsAt: msOf(endsAt) };
  }
  if (!plan) return NONE;
  const open = plan.trial ? MembershipStatus.TRIAL : MembershipStatus.ACTIVE;
  return {
    status: plan.active ? open : MembershipStatus.ENDED,
    name: plan.name,
    trial: plan.trial,
    endsAt: plan.endsAt,
  };
}
