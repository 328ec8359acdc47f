import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { topUp as copy } from "@/copy/top-up";
import { toUserError } from "@/data/errors";
import { lookAgain } from "@/data/shop";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { formatCount } from "@/lib/format";
import { useMember } from "@/lib/session";
import { classes } from "@/ui/classes";
import { Dialog } from "@/ui/Dialog";
import { Loader } from "@/ui/Marks";
import { ErrorNote } from "@/ui/States";
import { Packs } from "./Packs";
import css from "./TopUp.module.css";
import { useLeaving } from "./useLeaving";

/** Packs of credits, for those whose plan lets them top up; others see them, and what it takes. */
export function TopUpDialog({ onClose }: { onClose: () => void }) {
  const member = useMember();
  const { data, error, refetch } = useQuery(
    ShopService.method.getTopUps,
    {},
    {
      placeholderData: keepPreviousData,
      refetchInterval: (query) =>
        lookAgain(
          query,
          query.state.data?.topUps.some((pack) => !pack.purchasable),
        ),
    },
  );
  const left = formatCount(
    (member?.credits.plan ?? 0) + (member?.credits.topUp ?? 0),
    copy.credit,
    copy.credits,
  );
  const { leaving, inside, leave } = useLeaving(onClose);
  const lead = () => {
    if (!data || data.allowed) return copy.lead;
    return data.trial ? copy.trial(left) : copy.members;
  };
  return (
    <Dialog title={copy.title} onClose={leave} className={classes(leaving && css.leaving)}>
      <div ref={inside} className={css.inside}>
        <p className={css.lead}>{lead()}</p>
        {error && !data ? (
          <ErrorNote message={toUserError(error).message} onRetry={() => void refetch()} />
        ) : null}
        {data ? <Packs answer={data} onClose={onClose} /> : null}
        {data || error ? null : (
          <div className={css.waiting}>
            <Loader label={copy.loading} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
