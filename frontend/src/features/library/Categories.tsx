import { useId } from "react";
import { library as copy } from "@/copy/library";
import type { CategoryCount } from "@/gen/serein/web/v1/items_pb";
import { Each } from "@/lib/template";
import { Art } from "@/ui/Art";
import css from "./Library.module.css";

interface CategoriesProps {
  categories: readonly CategoryCount[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** A tile for each category; pressed again it is let go. */
export function Categories({ categories, chosen, onChoose }: CategoriesProps) {
  const group = useId();
  return (
    <fieldset className={css.categories}>
      <legend className="sr">{copy.categories}</legend>
      <div className={css.chips}>
        <Each of={categories}>
          {({ id, name }) => (
            <label key={id} className={css.category}>
              <input
                type="checkbox"
                name={group}
                checked={id === chosen}
                onChange={() => onChoose(id === chosen ? "" : id)}
              />
              <Art scene={name} seed={id} w={64} h={64} className={css.round} />
              {name}
            </label>
          )}
        </Each>
      </div>
    </fieldset>
  );
}
