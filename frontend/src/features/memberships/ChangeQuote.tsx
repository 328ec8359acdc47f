import { memberships } from "@/copy/memberships";
import { useCard } from "@/data/card";
import type { UserError } from "@/data/errors";
import { LOST } from "@/data/errors";
import { lostWords } from "@/data/lost-words";
import type { ChangeQuote as Quote } from "@/gen/serein/web/v1/membership_pb";
import { PlanKind } from "@/gen/serein/web/v1/session_pb";
import { formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { useMember } from "@/lib/session";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { ErrorNote, Note } from "@/ui/States";
import css from "./ChangeDialog.module.css";
import { Impossible } from "./ChangeEnds";
import { ChangeNext, ChangeSums } from "./ChangeSums";
import type { Change } from "./useChange";

const copy = memberships.changing;

/** The card was refused: what stands, and where it is mended. */
function NotPaid({ stands }: { stands: string }) {
  const { update, pending, trouble } = useCard();
  return (
    <>
      <ErrorNote message={[`${copy.failed}.`, copy.notPaid, stands].join(" ")} />
      <Button small pending={pending} onClick={update} className={css.card}>
        <Icon name="card" />
        {memberships.card}
      </Button>
      {trouble ? <ErrorNote message={trouble} /> : null}
    </>
  );
}

/** Why it was not changed, and what stands. */
function Failed({ trouble }: { trouble: UserError }) {
  const stands = copy.stands(useMember()?.plan?.name ?? "");
  if (trouble.reason === "VERSION_MISMATCH")
    return (
      <Note tone="brass" role="status">
        {copy.fresh}
      </Note>
    );
  if (trouble.reason === "CHANGE_NOT_PAID") return <NotPaid stands={stands} />;
  if (LOST.has(trouble.code)) return <ErrorNote message={lostWords(copy.lost)} />;
  return <ErrorNote message={[`${copy.failed}.`, trouble.message, stands].join(" ")} />;
}

interface ChangeQuoteProps {
  quote: Quote;
  /** Of the plan that is changed to. */
  kind: PlanKind;
  change: Change;
  /** A fresh amount is on its way. */
  renewing: boolean;
  onRenew: () => void;
  onClose: () => void;
}

/** What is open now and is not of a plan for the generator alone. */
function useCloses(kind: PlanKind): string {
  const open = useMember()?.plan?.entitlements ?? [];
  return kind === PlanKind.GENERATE && open.includes("library") ? copy.closes : "";
}

/** The exact amount, and the button that agrees to it. */
export function ChangeQuote({ quote, kind, change, renewing, onRenew, onClose }: ChangeQuoteProps) {
  const { confirm, pending, trouble } = change;
  const closes = useCloses(kind);
  const toPay = quote.charged?.amount ?? 0n;
  const agree = async () => {
    if ((await confirm(quote)) === "VERSION_MISMATCH") onRenew();
  };
  if (trouble?.reason === "CHANGE_NOT_POSSIBLE")
    return <Impossible message={`${copy.failed}. ${trouble.message}`} onClose={onClose} />;
  if (trouble?.reason === "MEMBERSHIP_CURRENT")
    return <Impossible message={copy.current} onClose={onClose} />;
  return (
    <>
      <p className={css.lead}>{[copy.lead(formatNumber(Number(quote.planCredits))), closes].join(" ")}</p>
      <ChangeSums quote={quote} />
      <ChangeNext quote={quote} />
      {trouble && !pending && !renewing ? <Failed trouble={trouble} /> : null}
      <div className={css.actions}>
        <Button look="primary" data-first="" pending={pending || renewing} onClick={() => void agree()}>
          {toPay > 0n ? copy.pay(formatMoney(quote.charged)) : copy.change}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {copy.later}
        </Button>
      </div>
    </>
  );
}
