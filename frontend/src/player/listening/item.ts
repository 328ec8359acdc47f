import type { Item } from "@/data/items";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";

/** What the names in the player begin with, of what is not the member's own. */
const KINDS: Readonly<Record<string, ItemKind>> = { library: ItemKind.MEDITATION, article: ItemKind.ARTICLE };

/** The item that a name in the player stands for. */
export function itemOf(id: string): Item {
  const [prefix = "", rest] = id.split("/");
  const kind = KINDS[prefix];
  return kind && rest ? { kind, id: rest } : { kind: ItemKind.BESPOKE, id };
}
