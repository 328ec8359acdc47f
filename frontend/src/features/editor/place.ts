import { paths } from "@/lib/paths";

/** What of the editor an address shows. */
export interface Place {
  /** The content type; "" while none is chosen. */
  type: string;
  /** Pictures and sounds, in place of entries. */
  assets: boolean;
  /** The item that is open; "" for the list. */
  id: string;
  /** A new one of the type is being written. */
  fresh: boolean;
  search: string;
}

export function placeOf(query: string): Place {
  const given = new URLSearchParams(query);
  const get = (name: string) => given.get(name) ?? "";
  return {
    type: get("type"),
    assets: get("kind") === "asset",
    id: get("id"),
    fresh: get("new") === "yes",
    search: get("search"),
  };
}

export function editorAddress(place: Partial<Place>): string {
  const query = new URLSearchParams({ tab: "editor" });
  if (place.assets) query.set("kind", "asset");
  if (place.type && !place.assets) query.set("type", place.type);
  if (place.search) query.set("search", place.search);
  if (place.id) query.set("id", place.id);
  if (place.fresh) query.set("new", "yes");
  return `${paths.admin}?${query.toString()}`;
}
