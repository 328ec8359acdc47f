import { Code, ConnectError } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Stage } from "@/gen/serein/web/v1/generator_pb";
import type { ItemRef } from "@/gen/serein/web/v1/items_pb";
import { ItemKind } from "@/gen/serein/web/v1/items_pb";
import { PlayerService } from "@/gen/serein/web/v1/player_pb";
import type { Data } from "@/lib/app";
import type { Member } from "@/lib/boot";
import { placesOf } from "../places";
import { describe, FileFailure } from "./files";
import { createKept, planEnd } from "./kept";
import { readOwn } from "./own";
import type { KeptItem, KeptPlace } from "./records";
import { kindOf } from "./records";

/** What this device had to give up when it met the gateway, for the member to be told. */
export interface Removed {
  /** Gone from Serein. */
  gone: readonly string[];
  /** Their plan has ended. */
  ended: readonly string[];
}

const NOTHING: Removed = { gone: [], ended: [] };

/** One tab at a time meets the gateway for all. */
const LOCK = "serein-kept-contact";
/** As many as the gateway lists. */
const PLACES = 10;

const itemOf = (id: string): Pick<ItemRef, "kind" | "id"> =>
  kindOf(id) === "bespoke"
    ? { kind: ItemKind.BESPOKE, id }
    : { kind: ItemKind.MEDITATION, id: id.slice(id.indexOf("/") + 1) };

/** Asks for one's own meditation: its title as it is now, or "gone". undefined where that cannot be known now. */
async function titleOf(data: Data, id: string): Promise<string | "gone" | undefined> {
  try {
    const { meditation } = await readOwn(data, id);
    return meditation?.stage === Stage.READY ? meditation.title : "gone";
  } catch (cause) {
    return ConnectError.from(cause).code === Code.NotFound ? "gone" : undefined;
  }
}

/** Whether the gateway still has a recording for this member; true where that cannot be known now. */
async function isThere({ audio }: KeptItem): Promise<boolean> {
  try {
    await describe(audio);
    return true;
  } catch (cause) {
    return !(cause instanceof FileFailure && cause.trouble === "gone");
  }
}

/** Compares what is kept with what the gateway has, and answers with the titles of what is there no more. */
async function check(data: Data, items: readonly KeptItem[], until: number): Promise<string[]> {
  const kept = data.part(createKept);
  const gone: KeptItem[] = [];
  for (const item of items) {
    const title = item.kind === "bespoke" ? await titleOf(data, item.id) : item.title;
    if (title === "gone" || (item.kind === "library" && !(await isThere(item)))) gone.push(item);
    else if (title && title !== item.title) await kept.change(item.id, { title });
    if (item.kind === "library" && item.until !== until) await kept.change(item.id, { until });
  }
  await kept.remove(gone.map(({ id }) => id));
  return gone.map(({ title }) => title);
}

/**
 * Whether another device has been listened to later than this one. The gateway lists what was begun, the last first; what is missing there while
 * another turn has begun was heard to its end elsewhere.
 */
async function isOlder(data: Data, place: KeptPlace): Promise<boolean> {
  const item = itemOf(place.id);
  const { turn } = await placesOf(data).get(item);
  if (turn <= place.turn) return false;
  const { places } = await callUnaryMethod(data.transport, PlayerService.method.listPlaces, {
    pageSize: PLACES,
  });
  const listed = places.find((one) => one.item?.kind === item.kind && one.item.id === item.id);
  return !listed?.heardAt || timestampMs(listed.heardAt) >= place.heardAt;
}

/** Hands over a place that was reached without a connection, unless a later one stands there. Throws as the calls do. */
async function handOver(data: Data, place: KeptPlace): Promise<void> {
  const kept = data.part(createKept);
  const places = placesOf(data);
  const item = itemOf(place.id);
  if (await isOlder(data, place)) return kept.keepPlace({ ...place, unsent: false });
  const { otherDevice, turn } = await places.start(item, false);
  // It plays there now: the place waits, and the later one will stand.
  if (otherDevice) return;
  const at = {
    positionMs: BigInt(Math.floor(place.positionMs)),
    durationMs: BigInt(Math.max(1, Math.floor(place.durationMs))),
  };
  await places.save({ item, turn, step: 1n, ...at, playing: false });
  await kept.keepPlace({ ...place, unsent: false, turn });
}

/** Hands over every place that waits; `held` is in the player of this page, which keeps its place itself. */
async function handOverAll(data: Data, held: string | null): Promise<void> {
  const places = await data.part(createKept).store.places();
  for (const place of places)
    if (place.unsent && place.id !== held && kindOf(place.id) !== "track")
      await handOver(data, place).catch(() => undefined);
}

/** Takes the places that other devices have reached since, for listening without a connection to begin there. */
async function takePlaces(data: Data, items: readonly KeptItem[], held: string | null): Promise<void> {
  const kept = data.part(createKept);
  for (const { id, kind, lengthMs } of items) {
    if (kind === "track" || id === held || (await kept.store.place(id))?.unsent) continue;
    const found = await placesOf(data)
      .get(itemOf(id))
      .catch(() => null);
    if (!found) return;
    const { turn, positionMs } = found;
    const at = { positionMs: Number(positionMs), durationMs: lengthMs };
    await kept.keepPlace({ id, ...at, heardAt: 0, unsent: false, turn });
  }
}

/** Meets the gateway as this member: what they keep stays theirs, what another member kept here goes. */
async function meet(data: Data, member: Member, serverTime: number, held: string | null): Promise<Removed> {
  const kept = data.part(createKept);
  const { items, keeper } = await kept.read();
  if (keeper.uid && keeper.uid !== member.uid) {
    await kept.clear();
    return NOTHING;
  }
  if (items.length === 0) return NOTHING;
  await kept.setKeeper({ uid: member.uid, open: true, seenAt: Math.max(serverTime, keeper.seenAt) });
  await handOverAll(data, held);
  const opened = member.admin || member.plan?.entitlements.includes("library") === true;
  // A plan that is not known yet has not ended.
  const ended = opened || !member.plan ? [] : items.filter(({ kind }) => kind === "library");
  await kept.remove(ended.map(({ id }) => id));
  const left = items.filter((item) => !ended.includes(item));
  const gone = await check(data, left, planEnd(member));
  await takePlaces(data, (await kept.read()).items, held);
  return { gone, ended: ended.map(({ title }) => title) };
}

/**
 * Brings this device in step with the gateway once it is known who is signed in. For a visitor nothing is removed, and nothing can be opened
 * until its member is back. `held` is the id of what is in the player.
 */
export async function contact(data: Data, held: string | null): Promise<Removed> {
  const { member, serverTime } = data.session.get();
  if (!serverTime) return NOTHING;
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return NOTHING;
    if (member) return meet(data, member, serverTime, held);
    const kept = data.part(createKept);
    const { keeper } = await kept.read();
    if (keeper.open) await kept.setKeeper({ ...keeper, open: false });
    return NOTHING;
  });
}
