import { useDeferredValue, useState } from "react";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import type { ContentType, Field as Definition } from "@/gen/serein/web/v1/editor_pb";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Select } from "@/ui/Field";
import { SearchField } from "@/ui/SearchField";
import { ErrorNote } from "@/ui/States";
import { linkedTypes } from "./fields";
import { useItems } from "./Items";
import css from "./Picker.module.css";

interface PickerProps {
  field: Definition;
  types: readonly ContentType[];
  onPick: (id: string) => void;
  onClose: () => void;
}

/** Chooses what a link leads to, by its title. */
export function Picker({ field, types, onPick, onClose }: PickerProps) {
  const asset = field.linkType === "Asset";
  const allowed = linkedTypes(field);
  const offered = types.filter((t) => allowed.length === 0 || allowed.includes(t.id));
  const [type, setType] = useState(offered[0]?.id ?? "");
  const [search, setSearch] = useState("");
  const query = useItems(asset ? "" : type, useDeferredValue(search.trim()));
  return (
    <Dialog title={asset ? copy.link.title.Asset : copy.link.title.Entry} onClose={onClose}>
      <div className={css.picker}>
        {!asset && offered.length > 1 ? (
          <Select label={copy.link.type} value={type} onChange={(event) => setType(event.target.value)}>
            {offered.map((t) => (
              <option key={t.id} value={t.id}>
                {t.name}
              </option>
            ))}
          </Select>
        ) : null}
        <SearchField label={copy.search} value={search} onChange={setSearch} />
        {query.error ? <ErrorNote message={toUserError(query.error).message} /> : null}
        <ul className={css.list} aria-busy={query.isFetching}>
          {query.items?.map((item) => (
            <li key={item.id}>
              <button type="button" className={css.item} onClick={() => onPick(item.id)}>
                {item.title || item.id}
              </button>
            </li>
          ))}
        </ul>
        {query.items?.length === 0 ? <p className="small muted">{copy.none.title}</p> : null}
        {query.hasNextPage ? (
          <Button small pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {copy.more}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}
