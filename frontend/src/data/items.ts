import { useState } from "react";
import type { Standing } from "@/gen/serein/web/v1/items_pb";
import { ItemKind, ItemService } from "@/gen/serein/web/v1/items_pb";
import type { Like, Save } from "@/lib/items";
import { toast } from "@/ui/toast/store";
import type { Data } from "@/lib/app";
import { useData } from "./data";
import type { Sent } from "./mutation";
import { defineWrite, useWrite } from "./mutation";
import { ofJourney } from "./own-changes";

/** Likes and what is saved: shown at once, taken back where the server says no. */

/** What can be liked and kept. */
export interface Item {
  kind: ItemKind;
  id: string;
}

type Cached = Readonly<Record<string, unknown>>;
const isObject = (v: unknown): v is Cached => typeof v === "object" && v !== null;

/** `from` with this item's standing, wherever in it the item stands; itself where it does not. */
export function withStanding<T>(from: T, id: string, standing: Standing): T {
  if (Array.isArray(from)) {
    const next = from.map((entry: unknown) => withStanding(entry, id, standing));
    return next.some((entry, i) => entry !== from[i]) ? (next as T) : from;
  }
  if (!isObject(from) || from instanceof Uint8Array) return from;
  if (from["id"] === id && "standing" in from) return { ...from, standing };
  let next: Record<string, unknown> | null = null;
  for (const [key, value] of Object.entries(from)) {
    const changed = isObject(value) ? withStanding(value, id, standing) : value;
    if (changed !== value) (next ??= { ...from })[key] = changed;
  }
  return (next ?? from) as T;
}

/** Puts an item's new standing into every answer that is kept, so that all screens agree. */
export function applyStanding(data: Data, id: string, standing: Standing): void {
  data.queryClient.setQueriesData({}, (kept: unknown) => withStanding(kept, id, standing));
}

/**
 * My Journey has another item, or one fewer: its numbers are asked for again, and its lists when they are opened next. In the one that is
 * open an item that was taken out stays until then, so that another press takes it back in.
 */
function savedChanged({ queryClient, session }: Data, { kind }: Item, saved: boolean): void {
  void queryClient.invalidateQueries({ ...ofJourney("ListSaved"), refetchType: "none" });
  void queryClient.invalidateQueries(ofJourney("GetJourney"));
  const { member } = session.get();
  if (member && kind === ItemKind.MEDITATION)
    session.setJourneyCount(Math.max(0, member.journeyCount + (saved ? 1 : -1)));
}

const SET_LIKE = defineWrite({ method: ItemService.method.setLike });
const SET_SAVED = defineWrite({ method: ItemService.method.setSaved });

type Answer = { standing?: Standing | undefined };

/** A wish stands until its answer does: then every screen has it, or it is taken back with a word. */
function useWish<A extends Answer>(id: string, send: (on: boolean) => Promise<Sent<A>>) {
  const data = useData();
  const [wish, setWish] = useState<boolean | null>(null);
  const set = async (on: boolean): Promise<A | null> => {
    if (wish !== null) return null;
    setWish(on);
    const { answer, trouble } = await send(on);
    if (answer?.standing) applyStanding(data, id, answer.standing);
    setWish(null);
    if (trouble) toast(trouble.message, "info");
    return answer;
  };
  return { wish, set };
}

/** The member's heart for an item. `standing` is what the screen's own answer says of it. */
export function useLike(item: Item, standing: Answer["standing"]): Like {
  const write = useWrite(SET_LIKE);
  const { wish, set } = useWish(item.id, (liked) => write.send({ item, liked }));
  const before = standing?.liked ?? false;
  const on = wish ?? before;
  const likes = (standing?.likes ?? 0) + Number(on) - Number(before);
  return { on, likes, pending: wish !== null, press: async () => void (await set(!on)) };
}

/** The member's bookmark for an item: whether My Journey has it. */
export function useSave(item: Item, standing: Answer["standing"]): Save {
  const write = useWrite(SET_SAVED);
  const data = useData();
  const { wish, set } = useWish(item.id, (saved) => write.send({ item, saved }));
  const on = wish ?? standing?.saved ?? false;
  const press = async () => {
    const answer = await set(!on);
    if (answer?.changed) savedChanged(data, item, !on);
    return answer;
  };
  return { on, pending: wish !== null, press };
}
