import { search as copy } from "@/copy/search";
import type { CategoryCount } from "@/gen/serein/web/v1/items_pb";
import { Art } from "@/ui/Art";
import { Button } from "@/ui/Button";
import { Skeleton } from "@/ui/States";
import css from "./Begin.module.css";

interface BeginProps {
  recent: readonly string[];
  /** Not known yet: undefined. */
  categories: readonly CategoryCount[] | undefined;
  onText: (text: string) => void;
  onCategory: (id: string) => void;
}

function Tiles({ categories, onCategory }: Pick<BeginProps, "categories" | "onCategory">) {
  if (!categories)
    return (
      <div className={css.tiles} role="status" aria-label={copy.loading}>
        {[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((i) => (
          <Skeleton key={i} ratio="1.24" round="10px" />
        ))}
      </div>
    );
  return (
    <div className={css.tiles}>
      {categories.map(({ id, name }) => (
        <button key={id} type="button" className={css.tile} onClick={() => onCategory(id)} data-stop="">
          <Art scene={name} seed={id} w={220} h={142} className={css.print} />
          <span>{name}</span>
        </button>
      ))}
    </div>
  );
}

/** Before anything is typed: what was looked for lately, and the categories. */
export function Begin({ recent, categories, onText, onCategory }: BeginProps) {
  return (
    <>
      {recent.length > 0 ? (
        <>
          <h3 className={css.head}>{copy.recent}</h3>
          <div className={css.recent}>
            {recent.map((text) => (
              <Button key={text} small onClick={() => onText(text)} data-stop="">
                {text}
              </Button>
            ))}
          </div>
        </>
      ) : null}
      <h3 className={css.head}>{recent.length > 0 ? copy.orCategories : copy.categories}</h3>
      <Tiles categories={categories} onCategory={onCategory} />
    </>
  );
}
