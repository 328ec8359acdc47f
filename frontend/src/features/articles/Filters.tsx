import { articles as copy } from "@/copy/articles";
import type { CategoryCount } from "@/gen/serein/web/v1/items_pb";
import { Each } from "@/lib/template";
import { Art } from "@/ui/Art";
import { Chip } from "@/ui/Choice";
import { SearchField } from "@/ui/SearchField";
import css from "./Filters.module.css";

interface FiltersProps {
  categories: readonly CategoryCount[];
  category: string;
  /** As it is typed. */
  search: string;
  onCategory: (id: string) => void;
  onSearch: (text: string) => void;
}

/** The search field and a round print a category. */
export function Filters({ categories, category, search, onCategory, onSearch }: FiltersProps) {
  return (
    <div className={css.filters}>
      <SearchField label={copy.search} value={search} onChange={onSearch} className={css.search} />
      <fieldset className={css.categories}>
        <legend className="sr">{copy.categories}</legend>
        <div className={css.chips}>
          <Each of={categories}>
            {({ id, name }) => (
              <Chip
                key={id}
                type="radio"
                name="category"
                value={id}
                checked={id === category}
                onChange={() => onCategory(id)}
              >
                <Art scene={name} seed={id} w={64} h={64} className={css.print} />
                {name}
              </Chip>
            )}
          </Each>
        </div>
      </fieldset>
    </div>
  );
}
