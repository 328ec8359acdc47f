import { useState } from "react";
import { checkout as copy } from "@/copy/checkout";
import { useBasket } from "@/data/basket";
import { toUserError } from "@/data/errors";
import { sessionEnded } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { Navigate } from "@/lib/router";
import { useMember } from "@/lib/session";
import { useStore } from "@/lib/store";
import { ButtonLink } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel, Note } from "@/ui/States";
import { panelProps, TabList } from "@/ui/TabList";
import { Ask } from "./Ask";
import css from "./CheckoutPage.module.css";
import { Pay } from "./Pay";
import { Summary } from "./Summary";
import { useReturned } from "./useReturned";

const BASE = "pay-";
const TABS = [{ id: "now", label: copy.payNow }];
const stay = () => undefined;

/** What is bought, and the way to the payment page. */
export function CheckoutPage() {
  const { basket, error, refetch } = useBasket();
  const member = useMember();
  const returned = useReturned();
  const [refused, refuse] = useState("");
  // A member whose session ends here signs in again over this page, which stays as it was: the visitor's basket is not the member's.
  const ended = useStore(sessionEnded);
  const asking = returned.asking || ended || (!basket && !error);
  if (!asking && !basket)
    return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!asking && basket?.lines.length === 0) return <Navigate to={paths.basket} replace />;
  return (
    <div className="wrap">
      <ButtonLink look="quiet" small to={paths.basket} className={css.back}>
        <Icon name="undo" />
        {copy.back}
      </ButtonLink>
      <PageHead title={copy.title} className={css.head} />
      {asking || !basket ? (
        <PageLoader label={copy.loading} />
      ) : (
        <>
          {returned.cancelled && !refused ? <Note role="status">{copy.cancelled}</Note> : null}
          {refused ? <Note tone="danger">{refused}</Note> : null}
          <div className={css.columns}>
            <div className={css.pay}>
              <TabList
                label={copy.ways}
                tabs={TABS}
                selected="now"
                onSelect={stay}
                base={BASE}
                className={css.tabs}
              />
              <div role="tabpanel" {...panelProps(BASE, "now")}>
                {member ? (
                  <Pay basket={basket} email={member.email} again={refused !== ""} onRefused={refuse} />
                ) : (
                  <Ask />
                )}
              </div>
            </div>
            <Summary basket={basket} />
          </div>
        </>
      )}
    </div>
  );
}
