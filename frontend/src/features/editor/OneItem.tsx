import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import type { ContentType, Item } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { Link, useNavigate } from "@/lib/router";
import { PageLoader } from "@/ui/PageLoader";
import { Badge } from "@/ui/Badge";
import { ErrorPanel } from "@/ui/States";
import { fieldsFor, stateOf } from "./fields";
import { ItemForm } from "./ItemForm";
import css from "./OneItem.module.css";
import type { Place } from "./place";
import { editorAddress } from "./place";
import { Steps } from "./Steps";
import { useItem } from "./useItem";
import { Versions } from "./Versions";

interface OpenProps {
  place: Place;
  first: Item;
  types: readonly ContentType[];
  back: string;
}

function Open({ place, first, types, back }: OpenProps) {
  const navigate = useNavigate();
  const [key] = useState({ asset: place.assets, id: place.id });
  const fields = fieldsFor(key.asset ? undefined : types.find((t) => t.id === first.contentType));
  const open = useItem(key, first, fields);
  const { item } = open;
  return (
    <>
      <header className={css.head}>
        <h2>{item.title || copy.untitled}</h2>
        <Badge>{copy.states[stateOf(item)]}</Badge>
        <span className="caption quiet tnum">{copy.version(item.version)}</span>
      </header>
      <div className={css.columns}>
        <ItemForm open={open} fields={fields} types={types} />
        <aside className={css.aside}>
          <Steps open={open} onGone={() => navigate(back)} />
          <Versions itemKey={key} open={open} />
        </aside>
      </div>
    </>
  );
}

/** One entry or asset: its form, what can be done with it, and its versions. */
export function OneItem({
  place,
  types,
  name,
}: {
  place: Place;
  types: readonly ContentType[];
  name: string;
}) {
  const key = { asset: place.assets, id: place.id };
  const { data, error, isFetching, refetch } = useQuery(
    EditorService.method.getItem,
    { key },
    { refetchOnMount: "always" },
  );
  const back = editorAddress({ type: place.type, assets: place.assets });
  // The form begins with the item as it is now, and not with what another visit has left.
  const [first, begin] = useState<Item>();
  if (!first && data?.item && !isFetching) begin(data.item);
  return (
    <div className={css.page}>
      <p>
        <Link to={back}>{copy.back(name)}</Link>
      </p>
      {first ? <Open place={place} first={first} types={types} back={back} /> : null}
      {!first && error ? <ErrorPanel as="h2" {...toUserError(error)} onRetry={() => void refetch()} /> : null}
      {!first && !error ? <PageLoader label={copy.loading} /> : null}
    </div>
  );
}
