import { journey as copy } from "@/copy/journey";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { PageHead } from "@/ui/PageHead";
import { SearchField } from "@/ui/SearchField";
import css from "./Head.module.css";

/** The page's title, and the search over everything in it. */
export function Head({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  return (
    <div className="wrap">
      <PageHead title={copy.title} lead={copy.lead} className={css.head}>
        <SearchField label={copy.search} value={search} onChange={onSearch} />
      </PageHead>
      <p className={css.links}>
        <Link to={paths.timer}>{copy.timer}</Link>
        <Link to={paths.reminders}>{copy.reminders}</Link>
        <Link to={paths.diary}>{copy.diary}</Link>
      </p>
    </div>
  );
}
