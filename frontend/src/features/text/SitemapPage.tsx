import { useQuery } from "@connectrpc/connect-query";
import { pages } from "@/copy/pages";
import { text as copy } from "@/copy/text";
import { toUserError } from "@/data/errors";
import type { SitemapPage as Entry } from "@/gen/serein/web/v1/pages_pb";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { Link } from "@/lib/router";
import { Each, has, not, When } from "@/lib/template";
import { Icon } from "@/ui/Icon";
import { PageHead } from "@/ui/PageHead";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";
import { SmallPrint } from "./SmallPrint";
import css from "./TextPage.module.css";

/** A page: its name, and whether it opens to members alone. */
function Place({ page }: { page: Entry }) {
  return (
    <li>
      <When {...has(page, "path")}>
        <Link to={page.path}>{page.title}</Link>
      </When>
      <When {...not(has(page, "path"))}>
        <span>
          {page.title}, {copy.sitemap.soon}
        </span>
      </When>
      <span className={css.facts}>
        <When {...has(page, "protected")}>
          <Icon name="lock" />
          <span className="sr">{copy.sitemap.protected} </span>
        </When>
      </span>
    </li>
  );
}

/** Every page, in groups. */
export function SitemapPage() {
  const { data, error, refetch } = useQuery(PagesService.method.getSitemap, {});
  if (error && !data) return <ErrorPanel as="h1" {...toUserError(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader label={copy.loading} />;
  return (
    <div className="wrap">
      <SmallPrint />
      <PageHead title={pages.sitemap} lead={copy.sitemap.lead} />
      <div className={css.map}>
        <Each of={data.groups}>
          {(group) => (
            <section key={group.title}>
              <h2>{group.title}</h2>
              <ul className={css.places}>
                <Each of={group.pages}>{(page) => <Place key={page.title} page={page} />}</Each>
              </ul>
            </section>
          )}
        </Each>
      </div>
    </div>
  );
}
