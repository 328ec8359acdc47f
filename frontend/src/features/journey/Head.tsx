import { journey as copy } from "@/copy/journey";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { PageHead } from "@/ui/PageHead";
import { SearchField } from "@/ui/SearchField";
import css from "./Head.module.css";

/** The page's title, the way to what is kept on this device, and the search over everything here. */
export function Head({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  return (
    <div className="wrap">
      <PageHead
        title={copy.title}
        lead={
          <>
            {copy.lead} <Link to={paths.kept}>{copy.kept}</Link>
          </>
        }
        className={css.head}
      >
        <SearchField label={copy.search} value={search} onChange={onSearch} />
      </PageHead>
    </div>
  );
}
