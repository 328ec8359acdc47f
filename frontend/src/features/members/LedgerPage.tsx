import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useEffect, useRef } from "react";
import { ledger as words } from "@/copy/ledger";
import { toUserError } from "@/data/errors";
import { byPages } from "@/data/query";
import { MembershipService } from "@/gen/serein/web/v1/membership_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button, ButtonLink } from "@/ui/Button";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorNote, ErrorPanel } from "@/ui/States";
import css from "./LedgerPage.module.css";
import { LedgerTable } from "./LedgerTable";

/** How far before its end the list goes on by itself. */
const AHEAD = "800px";

/** The member's entries, newest first, page by page. */
function useLedger() {
  const query = useInfiniteQuery(MembershipService.method.listLedger, { pageToken: "" }, byPages);
  return { ...query, rows: query.data?.pages.flatMap((page) => page.rows) };
}

/**
 * Calls `onNear` whenever the end of the `rows` comes near the window; the returned ref belongs on the element at the end. A new
 * number of rows starts a new observation: rows may come and be scrolled past between two checks of the browser, which then reports no crossing.
 */
function useNear(onNear: () => void, active: boolean, rows: number) {
  const ref = useRef<HTMLDivElement>(null);
  const call = useRef(onNear);
  useEffect(() => {
    call.current = onNear;
  });
  useEffect(() => {
    const end = ref.current;
    if (!end || !active || rows === 0) return;
    // A busy browser tells of several crossings at once: any of them counts.
    const watch = new IntersectionObserver(
      (crossings) => crossings.some(({ isIntersecting }) => isIntersecting) && call.current(),
      { rootMargin: AHEAD },
    );
    watch.observe(end);
    return () => watch.disconnect();
  }, [active, rows]);
  return ref;
}

function NoEntries() {
  const back = (
    <ButtonLink look="primary" to={paths.members}>
      {words.back}
    </ButtonLink>
  );
  return (
    <Empty as="h2" title={words.empty.title} action={back}>
      {words.empty.text}
    </Empty>
  );
}

/** Every entry of the member's credits. It goes on by itself towards its end, below what is read, and moves nothing. */
export function LedgerPage() {
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useLedger();
  const more = () => void fetchNextPage();
  const end = useNear(more, hasNextPage && !isFetchingNextPage && !error, rows?.length ?? 0);
  if (error && !rows) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!rows) return <PageLoader label={words.loading} />;
  return (
    <div className="wrap">
      <PageHead title={words.title} lead={words.lead}>
        <p className="small">
          <Link to={paths.members}>{words.back}</Link>
        </p>
      </PageHead>
      {rows.length === 0 ? (
        <NoEntries />
      ) : (
        <div className={css.sheet}>
          <LedgerTable pools caption={words.caption} rows={rows} />
          <div ref={end} className={css.end}>
            {error ? <ErrorNote message={toUserError(error).message} onRetry={more} /> : null}
            {hasNextPage ? (
              <Button pending={isFetchingNextPage} onClick={more}>
                {words.more}
              </Button>
            ) : (
              <p className="small muted">{words.end}</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
