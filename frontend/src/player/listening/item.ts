import type { Item } from "@/data/items";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";

/** What the names in the player begin with, of what is not the member's own. */
const KINDS: Readonly<Record<string, ItemKind>> = { library: ItemKind.MEDITATION, article: ItemKind.ARTICLE };

/** The item that a name in the player stands for; undefined for what a link shares, whose place is its owner's alone to keep. */
export function itemOf(id: string): Item | undefined {
  const [prefix = "", rest] = id.split("/");
  if (rest === undefined) return { kind: ItemKind.BESPOKE, id };
  const kind = KINDS[prefix];
  return kind ? { kind, id: rest } : undefined;
}
