import { sceneOf } from "@/art/meditation-scene";
import type { NowPlaying } from "./player";

/** The print of what is in the player. */
export const printOf = ({ meditation: m, recorded }: NowPlaying): { scene: string; seed: string } =>
  recorded ? { scene: recorded.scene, seed: recorded.seed } : { scene: sceneOf(m.typeId), seed: m.title };
