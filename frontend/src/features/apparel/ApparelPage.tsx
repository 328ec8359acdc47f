import { useQuery } from "@connectrpc/connect-query";
import { apparel as copy } from "@/copy/apparel";
import { toUserError } from "@/data/errors";
import { lookAgain } from "@/data/shop";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { Each, made, none, size, some, useFill, When } from "@/lib/template";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorPanel } from "@/ui/States";
import css from "./Apparel.module.css";
import { rowsOf } from "./rows";
import { Thing } from "./Thing";

/** Things to wear, carry and lie under. */
export function ApparelPage() {
  const fill = useFill();
  const { data, error, refetch } = useQuery(
    ShopService.method.getApparel,
    {},
    {
      refetchInterval: (query) =>
        lookAgain(
          query,
          query.state.data?.products.some((p) => !p.purchasable),
        ),
    },
  );
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader label={copy.loading} />;
  return (
    <div className="wrap">
      <PageHead title={data.title} lead={data.description} />
      <When {...none(data.products)}>
        <Empty as="h2" title={copy.none} />
      </When>
      <div className={css.shop} data-rows={fill(made(rowsOf, size(data.products)))}>
        <Each of={data.products}>{(product) => <Thing key={product.id} product={product} />}</Each>
      </div>
      <When {...some(data.notes)}>
        <div className={css.notes}>
          <Each of={data.notes}>
            {({ title, text }) => (
              <section key={title}>
                <h2>{title}</h2>
                <p>{text}</p>
              </section>
            )}
          </Each>
        </div>
      </When>
    </div>
  );
}
