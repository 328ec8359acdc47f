import { useInfiniteQuery } from "@connectrpc/connect-query";
import { orders as copy } from "@/copy/orders";
import { toUserError } from "@/data/errors";
import { byPages } from "@/data/query";
import { OrderService } from "@/gen/serein/web/v1/orders_pb";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { Button, ButtonLink } from "@/ui/Button";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorNote, ErrorPanel } from "@/ui/States";
import { OrderRow } from "./OrderRow";
import css from "./OrdersPage.module.css";

/** The member's orders, newest first, page by page. */
function useOrders() {
  const query = useInfiniteQuery(OrderService.method.listOrders, { pageToken: "" }, byPages);
  return { ...query, orders: query.data?.pages.flatMap((page) => page.orders) };
}

function NoOrders() {
  const browse = (
    <ButtonLink look="primary" to={paths.memberships}>
      {copy.empty.browse}
    </ButtonLink>
  );
  return (
    <Empty as="h2" title={copy.empty.title} action={browse}>
      {copy.empty.text}
    </Empty>
  );
}

/** Everything that was bought, with a receipt for each. */
export function OrdersPage() {
  const { orders, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useOrders();
  if (error && !orders) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!orders) return <PageLoader label={copy.loading} />;
  const more = () => void fetchNextPage();
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} />
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <>
          <ul className={css.orders} aria-label={copy.list}>
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} />
            ))}
          </ul>
          {error ? <ErrorNote message={toUserError(error).message} onRetry={more} /> : null}
          {hasNextPage ? (
            <p className={css.more}>
              <Button pending={isFetchingNextPage} onClick={more}>
                {copy.more}
              </Button>
            </p>
          ) : null}
          <p className="small muted">
            {copy.wrong} <Link to={paths.contact}>{copy.tell}</Link>
          </p>
        </>
      )}
    </div>
  );
}
