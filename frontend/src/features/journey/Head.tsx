import { journey as copy } from "@/copy/journey";
import { paths } from "@/lib/paths";
import { Link } from "@/lib/router";
import { PageHead } from "@/ui/PageHead";
import { SearchField } from "@/ui/SearchField";
import css from "./Head.module.css";

/** The page's title, the search over everything here, and the ways to what belongs to it. */
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
        <Link to={paths.kept}>{copy.kept}</Link>
      </p>
    </div>
  );
}
