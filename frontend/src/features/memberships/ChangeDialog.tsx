import { useQuery } from "@connectrpc/connect-query";
import { memberships } from "@/copy/memberships";
import { toUserError } from "@/data/errors";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import type { MembershipCard } from "@/gen/serein/web/v1/shop_pb";
import { Dialog } from "@/ui/Dialog";
import { Loader } from "@/ui/Marks";
import { ErrorNote } from "@/ui/States";
import css from "./ChangeDialog.module.css";
import { Changed, Impossible } from "./ChangeEnds";
import { ChangeQuote } from "./ChangeQuote";
import { useChange } from "./useChange";
import type { Period } from "./usePeriod";

const copy = memberships.changing;

interface ChangeDialogProps {
  card: MembershipCard;
  period: Period;
  onClose: () => void;
  /** Called in place of it once the plan is another one. */
  onDone: () => void;
}

/** Why there is no amount. */
function NoQuote({ error, onRetry, onClose }: { error: Error; onRetry: () => void; onClose: () => void }) {
  const trouble = toUserError(error);
  if (trouble.reason === "CHANGE_NOT_POSSIBLE")
    return <Impossible message={trouble.message} onClose={onClose} />;
  if (trouble.reason === "MEMBERSHIP_CURRENT") return <Impossible message={copy.current} onClose={onClose} />;
  return <ErrorNote message={trouble.message} onRetry={trouble.retry ? onRetry : undefined} />;
}

/** Changes a paid plan: first what it costs to the penny, then at once. */
export default function ChangeDialog({ card, period, onClose, onDone }: ChangeDialogProps) {
  const { id: planId, kind, name } = card;
  const change = useChange();
  // An amount is exact for a moment: another look asks for another.
  const preview = useQuery(
    MembershipService.method.previewChange,
    { planId, period },
    // Offline is an answer too: it is said, and asked again once the line is back.
    { staleTime: 0, gcTime: 0, networkMode: "always", refetchOnReconnect: false, enabled: !change.done },
  );
  // One that could not be brought up to date is not agreed to.
  const quote = preview.error ? undefined : preview.data?.quote;
  const { done } = change;
  const title = period === "year" ? copy.titleYearly : copy.title;
  return (
    <Dialog title={done ? copy.done(name) : title(name)} onClose={done ? onDone : onClose}>
      <div className={css.inside}>
        {done ? <Changed quote={done} onClose={onDone} /> : null}
        {!done && quote ? (
          <ChangeQuote
            quote={quote}
            kind={kind}
            change={change}
            renewing={preview.isFetching}
            onRenew={() => void preview.refetch()}
            onClose={onClose}
          />
        ) : null}
        {!done && !quote && preview.error ? (
          <NoQuote error={preview.error} onRetry={() => void preview.refetch()} onClose={onClose} />
        ) : null}
        {!done && !quote && !preview.error ? (
          <div className={css.waiting}>
            <Loader label={copy.loading} />
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
