import { sceneOf } from "@/art/meditation-scene";
import type { Keepable } from "@/data/kept/records";
import { planEnd } from "@/data/kept/kept";
import { readOwn } from "@/data/kept/own";
import type { AmbientTrack } from "@/gen/serein/web/v1/generator_pb";
import type { MeditationCard } from "@/gen/serein/web/v1/items_pb";
import type { Data } from "@/lib/app";
import { paths } from "@/lib/paths";
import { fetchWords } from "../more/words";
import { playerId, recordedOf } from "../of-library";
import type { Recorded } from "../recording";
import { loopOf, scriptOf } from "../recording";

/** What can be kept on this device, before it is known what it weighs. */
export interface Wish {
  /** Its name in the player. */
  id: string;
  title: string;
  /** Reads what is needed of it. Throws what its calls throw. */
  read: (data: Data, signal: AbortSignal) => Promise<Keepable>;
}

/** What a button offers to keep: one's own meditation, one of the library with the sound beneath it now, or a sound. */
export type Offer =
  | { own: { id: string; title: string } }
  | { card: MeditationCard; track: AmbientTrack | undefined }
  | { sound: AmbientTrack };

export function wishOf(offer: Offer): Wish {
  if ("own" in offer) return ownWish(offer.own.id, offer.own.title);
  return "card" in offer ? libraryWish(offer.card, offer.track) : trackWish(offer.sound);
}

/** One's own meditation, with the sound that was made for it and its words. It stays its member's, whatever becomes of their plan. */
const ownWish = (id: string, title: string): Wish => ({
  id,
  title,
  read: async (data, signal) => {
    const { meditation: m, segments } = await readOwn(data, id, signal);
    return {
      id,
      kind: "bespoke",
      title: m?.title ?? title,
      narrator: m?.narratorName ?? "",
      scene: sceneOf(m?.typeId ?? ""),
      seed: m?.title ?? title,
      lengthMs: Number(m?.expectedMs),
      to: paths.listen(id),
      audio: m?.audioUrl ?? "",
      picture: "",
      loop: loopOf(m?.track),
      words: scriptOf(segments),
      until: 0,
    };
  },
});

/** A meditation of the library, with the sound that is beneath it now. It can be heard as long as the member's plan lasts. */
const libraryWish = (m: MeditationCard, track: AmbientTrack | undefined): Wish => ({
  id: playerId(m),
  title: m.title,
  read: async ({ session }, signal) => {
    const { narrator, scene, seed, to, loop, picture } = recordedOf(m, track);
    const { member } = session.get();
    return {
      id: playerId(m),
      kind: "library",
      title: m.title,
      narrator,
      scene,
      seed,
      lengthMs: m.audioSeconds * 1000,
      to,
      audio: m.audioUrl,
      // One of another site cannot be kept: the print stands in for it.
      picture: picture?.startsWith("/") ? picture : "",
      loop,
      words: await fetchWords(m.audioUrl, signal),
      until: member ? planEnd(member) : 0,
    };
  },
});

/** A sound that goes beneath recordings. */
const trackWish = (track: AmbientTrack): Wish => ({
  id: trackId(track.id),
  title: track.name,
  read: () =>
    Promise.resolve({
      id: trackId(track.id),
      kind: "track",
      title: track.name,
      narrator: "",
      scene: "",
      seed: track.id,
      lengthMs: track.loopLengthMs,
      to: "",
      audio: track.url,
      picture: "",
      loop: loopOf(track),
      words: [],
      until: 0,
    }),
});

const trackId = (id: string): string => `track/${id}`;

/** What is kept, as the player takes it. */
export const recordedOfKept = (kept: Keepable): Recorded => ({
  id: kept.id,
  title: kept.title,
  narrator: kept.narrator,
  url: kept.audio,
  seconds: kept.lengthMs / 1000,
  scene: kept.scene,
  seed: kept.seed,
  to: paths.kept,
  loop: kept.loop,
  immersive: false,
  picture: kept.picture || undefined,
});
