import { members } from "@/copy/members";
import type { Membership } from "@/gen/serein/web/v1/membership_pb";
import { MembershipStatus } from "@/gen/serein/web/v1/membership_pb";
import type { Credits } from "@/lib/boot";
import { formatNumber } from "@/lib/format";
import { paths } from "@/lib/paths";
import { useTrialOffer } from "@/lib/session";
import { openTopUp } from "@/lib/top-up";
import { CreditDots } from "@/ui/CreditDots";
import { Button, ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";
import css from "./Balance.module.css";
import { Meters } from "./Meters";
import type { Newest } from "./Newest";
import { NewestEntries } from "./Newest";
import type { Standing } from "./plan";
import { dueDay } from "./plan";

const words = members.credits;

/** What becomes of the credits, as far as the plan says. */
function textOf({ status, endsAt }: Standing): string {
  if (endsAt && status === MembershipStatus.ACTIVE) return words.renewed(dueDay(endsAt));
  if (endsAt && status === MembershipStatus.CANCELLING) return words.until(dueDay(endsAt));
  return status === MembershipStatus.GRACE ? words.afterPayment : words.text;
}

interface BalanceProps {
  credits: Credits;
  standing: Standing;
  membership: Membership | undefined;
  newest: Newest;
}

/** What is left, of which pool, and what came and went. */
export function Balance({ credits, standing, membership, newest }: BalanceProps) {
  const offer = useTrialOffer();
  const left = credits.plan + credits.topUp;
  const trial = standing.trial || standing.status === MembershipStatus.UNSPECIFIED;
  const trialCredits = trial ? Number(membership?.periodCredits ?? 0n) || (offer?.credits ?? 0) : 0;
  // What the grant that runs gave: after a change of plan that is not what the plan gives a period.
  const of = Number(membership?.grantedCredits ?? 0n) || trialCredits;
  // Spent ones show as empty beads; of a paid plan, the meters say more.
  const trialOf = trial && credits.topUp === 0 ? of : 0;
  const actions = (
    <div className={css.actions}>
      <Button look="tint" small aria-haspopup="dialog" onClick={openTopUp}>
        <Icon name="plus" />
        {words.topUp}
      </Button>
      {left > 0 ? (
        <ButtonLink small to={paths.generator}>
          {words.make}
        </ButtonLink>
      ) : null}
    </div>
  );
  return (
    <Panel title={words.title} action={actions}>
      <div className={css.balance}>
        <p className={css.number}>
          <b>{formatNumber(left)}</b>
          <span>{words.left(credits.held, trialOf)}</span>
        </p>
        {trial ? <CreditDots credits={credits} of={trialOf} className={css.beads} /> : null}
        {/* After the end there is one pool, and its number stands above. */}
        {trial || standing.status === MembershipStatus.ENDED ? null : (
          <Meters credits={credits} granted={of} />
        )}
        <p className={css.text}>{textOf(standing)}</p>
      </div>
      <div className={css.entries}>
        <NewestEntries newest={newest} />
      </div>
    </Panel>
  );
}
