import { useQuery } from "@connectrpc/connect-query";
import { editor as copy } from "@/copy/editor";
import { toUserError } from "@/data/errors";
import type { ContentType } from "@/gen/serein/web/v1/editor_pb";
import { EditorService } from "@/gen/serein/web/v1/editor_pb";
import { useLocation } from "@/lib/router";
import { PageLoader } from "@/ui/PageLoader";
import { ErrorPanel } from "@/ui/States";
import { Items } from "./Items";
import { NewEntry } from "./NewEntry";
import { OneItem } from "./OneItem";
import { placeOf } from "./place";
import { Upload } from "./Upload";

/** The type that an address names; articles, the most written, for any other word. */
const typeIn = (types: readonly ContentType[], id: string): ContentType | undefined =>
  types.find((t) => t.id === id) ?? types.find((t) => t.id === "article") ?? types[0];

/** Every entry of every type, every picture and sound: a list, one of them, or a new one, as the address says. */
export default function Editor() {
  const place = placeOf(useLocation().search);
  const { data, error, refetch } = useQuery(EditorService.method.listContentTypes, {});
  if (!data) {
    if (!error) return <PageLoader label={copy.loading} />;
    return <ErrorPanel as="h2" {...toUserError(error)} onRetry={() => void refetch()} />;
  }
  const types = data.contentTypes;
  const type = place.assets ? undefined : typeIn(types, place.type);
  const name = type?.name ?? copy.assets;
  if (place.id)
    return <OneItem key={`${place.assets} ${place.id}`} place={place} types={types} name={name} />;
  if (place.fresh && place.assets) return <Upload />;
  if (place.fresh && type) return <NewEntry key={type.id} type={type} types={types} />;
  return <Items key={name} types={types} type={type} />;
}
