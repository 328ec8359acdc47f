import { useQuery } from "@connectrpc/connect-query";
import { apparel as copy } from "@/copy/apparel";
import { toTrouble } from "@/data/errors";
import { ShopService } from "@/gen/serein/web/v1/shop_pb";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { Empty, ErrorPanel } from "@/ui/States";
import css from "./Apparel.module.css";
import { Thing } from "./Thing";

/** Things to wear, carry and lie under. */
export function ApparelPage() {
  const { data, error, refetch } = useQuery(ShopService.method.getApparel, {});
  if (error && !data) return <ErrorPanel as="h1" {...toTrouble(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader label={copy.loading} />;
  return (
    <div className="wrap">
      <PageHead title={data.title} lead={data.description} />
      {data.products.length === 0 ? <Empty as="h2" title={copy.none} /> : null}
      <div className={css.shop}>
        {data.products.map((product) => (
          <Thing key={product.id} product={product} />
        ))}
      </div>
      {data.notes.length > 0 ? (
        <div className={css.notes}>
          {data.notes.map(({ title, text }) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
        </div>
      ) : null}
    </div>
  );
}
